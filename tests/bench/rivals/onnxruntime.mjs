// ONNX Runtime's attention, timed on request. Usage: node onnxruntime.mjs FOLDER, where npm installed onnxruntime-node.
// rivals/child.hpp has the lines that are asked and answered.

import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { onnxModel } from './onnx_model.mjs';

const heads = 8;
const headDim = 64;
const modelDim = heads * headDim;

const require = createRequire(join(resolve(process.argv[2]), 'package.json'));
let ort;
try {
  ort = require('onnxruntime-node');
} catch {
  console.log('absent');
  process.exit();
}

// The ways in which ONNX Runtime can be asked for attention. Each has a layout for its tensors: [heads, seq_len,
// head_dim] or, as it comes from a projection, [seq_len, heads * head_dim].
const forms = {
  'Attention': {
    headsFirst: true,
    node: (causal) => ({ op: 'Attention', domain: '', attributes: { is_causal: causal ? 1 : 0 } }),
  },
  'MultiHeadAttention': {
    node: (causal) => ({
      op: 'MultiHeadAttention',
      domain: 'com.microsoft',
      attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
    }),
  },
  'GroupQueryAttention': {
    causalOnly: true,
    node: () => ({
      op: 'GroupQueryAttention',
      domain: 'com.microsoft',
      attributes: { num_heads: heads, kv_num_heads: heads },
    }),
    more: (seqLen) => [
      { name: 'last_key', shape: [1], values: [seqLen - 1] }, { name: 'total', shape: [], values: [seqLen] }],
  },
};

const shapeOf = (form, seqLen) => (form.headsFirst ? [1, heads, seqLen, headDim] : [1, seqLen, modelDim]);

// `length` nodes one after the other, the context of one being the query of the next. Of no nodes: what a run costs
// without any attention.
function chain(form, seqLen, causal, length) {
  const shape = shapeOf(form, seqLen);
  const nodes = [];
  const constants = form.more ? form.more(seqLen) : [];
  for (let i = 0; i < length; ++i) {
    // GroupQueryAttention also returns the keys and the values for a cache: it insists, for its fast path.
    nodes.push({
      ...form.node(causal),
      inputs: [`x${i}`, 'key', 'value', ...(form.more ? ['', '', 'last_key', 'total'] : [])],
      outputs: [`x${i + 1}`, ...(form.more ? [`keys${i}`, `values${i}`] : [])],
    });
  }
  if (length === 0) nodes.push({ op: 'Identity', domain: '', attributes: {}, inputs: ['x0'], outputs: ['x1'] });
  const inputs = ['x0', ...(length > 0 ? ['key', 'value'] : [])].map((name) => ({ name, shape }));
  const outputs = [{ name: `x${Math.max(length, 1)}`, shape }];
  return onnxModel({ nodes, constants: length > 0 ? constants : [], inputs, outputs });
}

// From [heads, seq_len, head_dim] to [seq_len, heads, head_dim], or back.
function exchange(from, outer, inner) {
  const to = new Float32Array(from.length);
  for (let i = 0; i < outer; ++i) {
    for (let j = 0; j < inner; ++j) {
      to.set(from.subarray((i * inner + j) * headDim, (i * inner + j + 1) * headDim), (j * outer + i) * headDim);
    }
  }
  return to;
}

async function start(form, { seqLen, causal, threads, tensors }, length) {
  const session = await ort.InferenceSession.create(chain(form, seqLen, causal, length), {
    executionProviders: ['cpu'], intraOpNumThreads: threads, interOpNumThreads: 1, graphOptimizationLevel: 'all',
  });
  const feeds = {};
  session.inputNames.forEach((name, i) => {
    const values = form.headsFirst ? tensors[i] : exchange(tensors[i], heads, seqLen);
    feeds[name] = new ort.Tensor('float32', values, shapeOf(form, seqLen));
  });
  const run = async () => Object.values(await session.run(feeds))[0].data;
  return { run, release: () => session.release() };
}

async function milliseconds(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function shortest(work, times) {
  let least = Infinity;
  for (let i = 0; i < times; ++i) least = Math.min(least, await milliseconds(work));
  return least;
}

// ONNX Runtime's threads stay awake for a while after a run; the next contender should have the cores for itself.
async function untilQuiet() {
  for (let i = 0; i < 100; ++i) {
    const before = process.cpuUsage();
    await new Promise((wake) => setTimeout(wake, 10));
    const used = process.cpuUsage(before);
    if (used.user + used.system < 1000) return;
  }
}

let ready = null;

async function release({ chained, empty }) {
  await chained.release();
  await empty.release();
}

async function prepare(seqLen, mask, threads, file) {
  if (ready) await release(ready);
  ready = null;
  const floats = new Float32Array(readFileSync(file).buffer);
  const size = seqLen * modelDim;
  const tensors = [0, 1, 2].map((i) => floats.subarray(i * size, (i + 1) * size));
  const problem = { seqLen, causal: mask === 'causal', threads, tensors };
  for (const [name, form] of Object.entries(forms)) {
    if (form.causalOnly && !problem.causal) continue;
    const single = await start(form, problem, 1);
    const context = await single.run();
    // So many nodes that a run takes 20 ms: what surrounds a run counts little, and is subtracted too.
    const length = Math.min(64, Math.ceil(20 / await shortest(single.run, 2)));
    await single.release();
    const tried = {
      name, form, context, length, chained: await start(form, problem, length), empty: await start(form, problem, 0),
    };
    tried.time = Math.min(await time(tried), await time(tried));
    if (process.env.SAY_ALL_FORMS) console.error(seqLen, mask, threads, name, tried.time.toFixed(3), 'ms');
    if (ready && ready.time < tried.time) {
      await release(tried);
    } else {
      if (ready) await release(ready);
      ready = tried;
    }
  }
  writeFileSync(`${file}.context`, ready.form.headsFirst ? ready.context : exchange(ready.context, seqLen, heads));
  return `ready ${ready.name}`;
}

// Milliseconds for one node.
async function time({ chained, empty, length }) {
  const around = await shortest(empty.run, 3);
  if (length > 1) await chained.run();  // wakes the threads; to one long run a slow start does no harm
  return (await milliseconds(chained.run) - around) / length;
}

console.log(`ONNX Runtime ${require('onnxruntime-node/package.json').version}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [command, seqLen, mask, threads, file] = line.split(' ');
  try {
    const answer = command === 'time' ? await time(ready) : await prepare(Number(seqLen), mask, Number(threads), file);
    await untilQuiet();
    console.log(String(answer));
  } catch (error) {
    console.log(`failed ${String(error.message).split('\n')[0]}`);
  }
}
