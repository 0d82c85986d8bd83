// Words and codes of more providers for a conversation that is too long, and some that are about something else. Each
// with where it was reported.
import { describe, expect, it } from "vitest";

import { classifyRefusal } from "../../../../model/stream/model-failure.ts";

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

const TOO_LONG: readonly (readonly [string, unknown])[] = [
  ["earendil-works/pi#8991: Zhipu", said("Prompt exceeds max length", { code: "1261" })],
  ["earendil-works/pi#8991: Zhipu, in Chinese", said("Prompt 超长", { code: "1261" })],
  ["NousResearch/hermes-agent#1877: Zhipu, by words", said("Prompt exceeds max length")],
  ["mangowhoiscloud/geode#668: Zhipu, by its code", said("?", { code: "1261" })],
  ["mangowhoiscloud/geode#668: Zhipu, by its number", said("?", { type: "x", code: 1261 })],
  [
    "anomalyco/opencode#35920: Z.ai",
    said("Number of tokens in request more than max tokens allowed", { code: "1210" }),
  ],
  [
    "google-gemini/gemini-cli#19727: Vertex AI",
    said(
      "Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.",
      { code: 400 },
    ),
  ],
  [
    "danny-avila/LibreChat#3651: Google",
    said("Prompt token count of 4662 exceeds max token count of 4095."),
  ],
  [
    "Volcano Engine's list of errors: Doubao",
    said("Total tokens of image and text exceed max message tokens.", { type: "BadRequest" }),
  ],
  ["Volcano Engine's list of errors: the code", said("?", { code: "OutofContextError" })],
  [
    "chatboxai/chatbox#2060: SiliconFlow",
    {
      code: 20_015,
      message: "length of prompt_tokens (68957) must be less than max_seq_len (65536).",
      data: null,
    },
  ],
  [
    "RhythmicWave/NovelForge#136: SiliconFlow, later",
    {
      code: 20_015,
      message: "number of input tokens (167594) has exceeded max_prompt_tokens (163840) limit.",
    },
  ],
  [
    "cohere-ai/sandbox-topically#4: Cohere",
    {
      message:
        "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.",
    },
  ],
  [
    "pydantic/pydantic-ai#4221: Cohere, of chats",
    {
      message:
        "too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this model is 132000 tokens.",
    },
  ],
  [
    "pydantic/pydantic-ai#4221: Cohere, as its documents have it",
    {
      message:
        "Too many tokens: the total number of tokens in the prompt exceeds the limit of 4081.",
    },
  ],
  [
    "clients of Bedrock: Nova",
    {
      message:
        "The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
    },
  ],
  [
    "clients of Bedrock: other models",
    {
      message:
        "400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9279 ",
    },
  ],
  [
    "Moonshot's list of errors",
    said("Input token length too long", { type: "invalid_request_error" }),
  ],
  ["Baidu's and UCloud's lists of errors", said("Prompt tokens too long")],
  [
    "Baidu's and UCloud's lists of errors: the code",
    said("?", { type: "invalid_request_error", code: "tokens_too_long" }),
  ],
  [
    "cline/cline#294: SambaNova",
    said(
      "Requested generation length 1 is not possible! The provided prompt is 4309 tokens long, so generating 1 tokens requires a sequence length of 4310, but the maximum supported sequence length is just 4096!",
    ),
  ],
  [
    "huggingface/text-generation-inference#695: Hugging Face",
    {
      error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 1168",
      error_type: "validation",
    },
  ],
];

const OTHERS: readonly (readonly [string, unknown])[] = [
  [
    "anomalyco/opencode#13015: a quota of a day",
    { message: "Too many tokens per day, please wait before trying again." },
  ],
  [
    "anomalyco/opencode#13015: a rate",
    said("Tokens per minute limit exceeded - too many tokens processed."),
  ],
  [
    "NousResearch/hermes-agent#51773: an output that is too long",
    said(
      "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 32768, but got 65536 instead.",
      { code: "InvalidParameter" },
    ),
  ],
  [
    "charmbracelet/crush#946: an output that is too long",
    { message: "The maximum tokens you requested exceeds the model limit of 32768" },
  ],
];

describe("a refusal is about the length of the conversation", () => {
  it.each(TOO_LONG)("by %s", (_where, body) => {
    expect(classifyRefusal(400, body)).toEqual({
      type: "invalid_request",
      kind: "context_too_long",
    });
  });

  it.each(OTHERS)("not by %s", (_where, body) => {
    expect(classifyRefusal(400, body)).toEqual({
      type: "invalid_request",
      kind: "invalid_request",
    });
  });
});
