// An ONNX file is one protobuf message. A message is a list of fields: a key (number * 8 + wire type), then a number of
// 7 bits a byte (wire type 0), or a length and so many bytes (2), or four bytes (5). Field numbers are onnx.proto's.

const varint = (number) => {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return Buffer.from([...bytes, number]);
};
const integer = (field, number) => Buffer.concat([varint(field * 8), varint(number)]);
const bytes = (field, content) => Buffer.concat([varint(field * 8 + 2), varint(content.length), Buffer.from(content)]);
const message = (field, ...fields) => bytes(field, Buffer.concat(fields));

const float32 = 1;  // of TensorProto's data types
const int32 = 6;

// AttributeProto: name 1, i 3, type 20 (2: an integer).
const attribute = ([name, value]) => message(5, bytes(1, name), integer(3, value), integer(20, 2));

// NodeProto: input 1, output 2, op_type 4, attribute 5, domain 7.
const node = ({ op, domain, inputs, outputs, attributes }) => message(1,
  ...inputs.map((name) => bytes(1, name)), ...outputs.map((name) => bytes(2, name)), bytes(4, op),
  ...Object.entries(attributes).map(attribute), bytes(7, domain));

// ValueInfoProto: name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 { dim 1 { dim_value 1 } } } }.
const value = (field, { name, shape }) => message(field, bytes(1, name), message(2, message(1, integer(1, float32),
  message(2, ...shape.map((size) => message(1, integer(1, size)))))));

// TensorProto: dims 1, data_type 2, name 8, raw_data 9.
const constant = ({ name, shape, values }) => message(5, ...shape.map((size) => integer(1, size)), integer(2, int32),
  bytes(8, name), bytes(9, Buffer.from(Int32Array.from(values).buffer)));

/// ModelProto: ir_version 1, graph 7 { node 1, name 2, initializer 5, input 11, output 12 }, opset_import 8.
export const onnxModel = ({ nodes, constants = [], inputs, outputs }) => Buffer.concat([integer(1, 10),
  message(7, ...nodes.map(node), bytes(2, 'attention'), ...constants.map(constant),
    ...inputs.map((input) => value(11, input)), ...outputs.map((output) => value(12, output))),
  message(8, bytes(1, ''), integer(2, 23)), message(8, bytes(1, 'com.microsoft'), integer(2, 1))]);
