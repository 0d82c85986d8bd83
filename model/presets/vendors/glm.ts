// GLM by Zhipu, which is Z.ai outside of China.
import { atHosts, IMAGES_AND_VIDEO, price, rowsOf, TEXT, type ModelPreset } from "../preset.ts";

const row = rowsOf("zai", ["api.z.ai"]);

const EVERYWHERE: readonly ModelPreset[] = [
  row(["glm-5.2"], 1_000_000, 131_072, TEXT, [price(1.4, 4.4, 0.26, 0)]),
  row(["glm-5.1"], 200_000, 131_072, TEXT, [price(1.4, 4.4, 0.26, 0)]),
  row(["glm-5"], 204_800, 131_072, TEXT, [price(1, 3.2, 0.2, 0)]),
  row(["glm-5v-turbo"], 200_000, 131_072, IMAGES_AND_VIDEO, [price(1.2, 4, 0.24, 0)]),
  row(["glm-4.7"], 204_800, 131_072, TEXT, [price(0.6, 2.2, 0.11, 0)]),
  row(["glm-4.7-flash"], 200_000, 131_072, TEXT, [price(0, 0, 0, 0)]),
  row(["glm-4.7-flashx"], 200_000, 131_072, TEXT, [price(0.07, 0.4, 0.01, 0)]),
  row(["glm-4.6"], 204_800, 131_072, TEXT, [price(0.6, 2.2, 0.11, 0)]),
  row(["glm-4.6v"], 128_000, 32_768, IMAGES_AND_VIDEO, [price(0.3, 0.9)]),
  row(["glm-4.5"], 131_072, 98_304, TEXT, [price(0.6, 2.2, 0.11, 0)]),
  row(["glm-4.5-air"], 131_072, 98_304, TEXT, [price(0.2, 1.1, 0.03, 0)]),
  row(["glm-4.5-flash"], 131_072, 98_304, TEXT, [price(0, 0, 0, 0)]),
  row(["glm-4.5v"], 64_000, 16_384, IMAGES_AND_VIDEO, [price(0.6, 1.8)]),
];

export const GLM: readonly ModelPreset[] = [
  ...EVERYWHERE,
  ...atHosts(["open.bigmodel.cn"], EVERYWHERE),
  row(["glm-5-turbo"], 200_000, 131_072, TEXT, [price(1.2, 4, 0.24, 0)]),
];
