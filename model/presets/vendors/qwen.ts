// Qwen at Alibaba Cloud Model Studio. Most prices depend on the size of the input or on thinking in ways that the table
// does not have; those of the Chinese host are in yuan.
import {
  ALL_MEDIA,
  atHosts,
  IMAGES,
  IMAGES_AND_VIDEO,
  price,
  rowsOf,
  TEXT,
  upTo,
  type ModelPreset,
} from "../preset.ts";

const row = rowsOf("alibaba", ["dashscope-intl.aliyuncs.com"]);
const CHINA = ["dashscope.aliyuncs.com"];
const chineseRow = rowsOf("alibaba-cn", CHINA);

const EVERYWHERE: readonly ModelPreset[] = [
  row(["qwen3.7-max"], 1_000_000, 65_536, TEXT, null),
  row(["qwen3.6-plus"], 1_000_000, 65_536, IMAGES_AND_VIDEO, [
    upTo(256_000, price(0.5, 3, 0.05, 0.625)),
    price(2, 6, 0.2, 2.5),
  ]),
  row(["qwen3.6-flash"], 1_000_000, 65_536, IMAGES_AND_VIDEO, null),
  row(["qwen3.5-plus"], 1_000_000, 65_536, IMAGES_AND_VIDEO, null),
  row(["qwen3-max"], 262_144, 65_536, TEXT, null),
  row(["qwen-plus"], 1_000_000, 32_768, TEXT, null),
  row(["qwen-flash"], 1_000_000, 32_768, TEXT, null),
  row(["qwen-turbo"], 1_000_000, 16_384, TEXT, null),
  row(["qwen-vl-max"], 131_072, 8_192, IMAGES, null),
  row(["qwen-vl-plus"], 131_072, 8_192, IMAGES, null),
  row(["qwq-plus"], 131_072, 8_192, TEXT, null),
  row(["qvq-max"], 131_072, 8_192, IMAGES, null),
  row(["qwen3-coder-plus"], 1_048_576, 65_536, TEXT, null),
  row(["qwen3-coder-flash"], 1_000_000, 65_536, TEXT, null),
  row(["qwen3-vl-plus"], 262_144, 32_768, IMAGES, null),
  row(["qwen3-omni-flash"], 65_536, 16_384, ALL_MEDIA, null),
  row(["qwen-omni-turbo"], 32_768, 2_048, ALL_MEDIA, null),
  row(["qwen3-235b-a22b"], 131_072, 16_384, TEXT, null),
  row(["qwen3-32b"], 131_072, 16_384, TEXT, null),
  row(["qwen3-14b"], 131_072, 8_192, TEXT, null),
  row(["qwen3-8b"], 131_072, 8_192, TEXT, null),
  row(["qwen3-next-80b-a3b-instruct"], 131_072, 32_768, TEXT, null),
  row(["qwen3-next-80b-a3b-thinking"], 131_072, 32_768, TEXT, null),
  row(["qwen3-coder-480b-a35b-instruct"], 262_144, 65_536, TEXT, null),
  row(["qwen3-coder-30b-a3b-instruct"], 262_144, 65_536, TEXT, null),
];

export const QWEN: readonly ModelPreset[] = [
  ...EVERYWHERE,
  ...atHosts(CHINA, EVERYWHERE),
  row(["qwen3.7-plus"], 1_000_000, 65_536, IMAGES_AND_VIDEO, [
    upTo(256_000, price(0.5, 3, 0.05, 0.625)),
    price(2, 6, 0.2, 2.5),
  ]),
  row(["qwen3.6-max-preview"], 262_144, 65_536, TEXT, null),
  row(["qwen-max"], 32_768, 8_192, TEXT, [price(1.6, 6.4)]),
  chineseRow(["qwen3.7-plus"], 1_000_000, 64_000, IMAGES, null),
  chineseRow(["qwen3.6-max-preview"], 245_800, 65_536, TEXT, null),
  chineseRow(["qwen-max"], 131_072, 8_192, TEXT, null),
  chineseRow(["qwen3.5-flash"], 1_000_000, 65_536, IMAGES_AND_VIDEO, null),
  chineseRow(["qwen-long"], 10_000_000, 8_192, TEXT, null),
  chineseRow(["qwq-32b"], 131_072, 8_192, TEXT, null),
];
