// Compiled once for each level of the processor, with that level's flags; ATTENTION_LEVEL names what comes of it. What
// is included here must leave no function behind that another file has too: the linker would keep either, and a
// processor might meet instructions that it does not know. tests/fast/levels_test.sh looks.

#include "fast/attention_kernel.hpp"
#include "fast/level.hpp"
#include "fast/matmul_kernel.hpp"
#include "fast/peak_kernel.hpp"
#include "fast/softmax_kernel.hpp"

namespace attn::fast {

extern const Kernels ATTENTION_LEVEL;
const Kernels ATTENTION_LEVEL = {.level = level_name,
                                 .vector_floats = lanes,
                                 .multiply = multiply,
                                 .packed_size = block_depth * block_columns,
                                 .tile_rows = tile_rows,
                                 .tile_columns = tile_columns,
                                 .attend = attend_block,
                                 .attention_size = attention_size,
                                 .query_block = query_block,
                                 .softmax_row = softmax_row,
                                 .reach_for_peak = reach_for_peak,
                                 .peak_operations = 2 * peak_sums * lanes};

}  // namespace attn::fast
