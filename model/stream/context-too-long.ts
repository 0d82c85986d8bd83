// Recognises that a provider has refused a request because the conversation is longer than the model can read. There is
// no common form: endpoints have a code, a type or only words, and statuses from 400 to 500.
import { asFields, asText } from "./stream-event.ts";

/** Codes and types that say nothing else. */
const CODES: ReadonlySet<string> = new Set([
  // OpenAI, and those who speak like it
  "context_length_exceeded",
  // llama.cpp
  "exceed_context_size_error",
  // Anthropic: more bytes than a request may have
  "request_too_large",
  // Zhipu, Z.ai
  "1261",
  // Volcano Engine (Doubao)
  "OutofContextError",
  // Baidu's Qianfan, UCloud
  "tokens_too_long",
]);

/** As texts of providers have it; the names are of one that writes so. */
const WORDS: readonly RegExp[] = [
  // OpenAI, Anthropic ("exceed context limit"), llama-cpp-python, Ollama
  /exceed(?:s|ed)? (?:\S+ ){0,5}context (?:window|length|limit|size)/,
  // llama.cpp, MiniMax
  /context (?:window|length|limit|size) (?:has been |is )?exceed/,
  // OpenAI, vLLM, SGLang, DeepSeek, OpenRouter, Mistral; xAI ("prompt")
  /maximum (?:allowed )?(?:context|prompt|model|input) length/,
  // vLLM, since 0.16
  /context length is only/,
  // Together; LM Studio ("greater")
  /(?:longer|greater) than the (?:model's )?(?:maximum )?context length/,
  // Anthropic; Ollama
  /prompt (?:is )?too long/,
  // Amazon Bedrock
  /input is too long for requested model/,
  // Google
  /input token count .{0,40}exceeds the maximum/,
  // Groq, Cerebras
  /reduce the length of the (?:messages|prompt|input)/,
  // OpenAI
  /input tokens exceed the configured limit/,
  // Kimi
  /exceeded model token limit/,
  // Alibaba's DashScope
  /range of input length should be/,
  // GitHub Copilot; Google ("max token count")
  /prompt token count of \d+ exceeds (?:the limit|max token count)/,
  // Google's Vertex AI
  /input token count is \d+ but (?:the )?model only supports/,
  // Zhipu, Z.ai
  /prompt exceeds max length/,
  /prompt 超长/,
  /tokens in request more than max tokens allowed/,
  // Volcano Engine (Doubao)
  /exceed max message tokens/,
  // SiliconFlow
  /length of prompt_tokens .{0,20}must be less than max_seq_len/,
  /number of input tokens .{0,20}has exceeded max_prompt_tokens/,
  // Cohere; a quota is "too many tokens" too
  /too many tokens: (?:(?:the )?total number of tokens|size limit exceeded)/,
  // Amazon Bedrock, of Nova and others
  /number of input tokens exceeds maximum length/,
  /too many input tokens\. max input tokens/,
  // Moonshot
  /input token length too long/,
  // Baidu's Qianfan, UCloud
  /prompt tokens too long/,
  // SambaNova
  /requested generation length \d+ is not possible/,
  // Hugging Face; Together
  /`inputs` must have less than \d+ tokens/,
  /inputs['`]? tokens (?:\+|and) ['`]?max_new_tokens/,
  // Groq and OpenAI: one request above what is allowed in a minute, which no waiting helps
  /request too large for .{0,200}tokens per min/,
];

/** Statuses whose meaning is certain: a long text in them may be about anything. */
const OTHER_STATUSES: readonly number[] = [401, 402, 403, 404];
const TOO_MANY_REQUESTS = 429;
const CONTENT_TOO_LARGE = 413;
/** Characters of a text that are searched. */
const MAX_CHARACTERS = 2_000;

/**
 * @param status Of the response, or of the same error outside of a stream.
 * @param error The provider's error object; also those inside it are read, as of a gateway that passes on another's.
 */
export function isContextTooLong(
  status: number,
  error: unknown,
  { code = "", message = "" }: { readonly code?: string; readonly message?: string },
): boolean {
  if (OTHER_STATUSES.includes(status)) return false;
  if (status === CONTENT_TOO_LARGE || CODES.has(code)) return true;
  const nested = asFields(asFields(error)?.["error"]) ?? asFields(error) ?? {};
  // A code may be a number.
  if ([nested["type"], nested["code"]].some((name) => CODES.has(String(name)))) return true;
  const texts = [message, asText(asFields(nested["metadata"])?.["raw"])];
  const words = texts.map((text) => text.slice(0, MAX_CHARACTERS).toLowerCase()).join("\n");
  return status === TOO_MANY_REQUESTS
    ? /request too large for .{0,200}tokens per min/.test(words)
    : WORDS.some((pattern) => pattern.test(words));
}

/** Whether a provider's words alone say it, whatever the status. */
export function saysTooLong(message: string): boolean {
  const words = message.slice(0, MAX_CHARACTERS).toLowerCase();
  return WORDS.some((pattern) => pattern.test(words));
}

/** Reasons for an end at the limit of the window, which input and output share. */
const WINDOW_IS_FULL: ReadonlySet<string> = new Set([
  // Anthropic, Z.ai
  "model_context_window_exceeded",
  // Mistral
  "model_length",
]);

/** Whether an answer has ended because the window was full: one without a word was refused. */
export function isWindowFull(finishReason: string | null): boolean {
  return finishReason !== null && WINDOW_IS_FULL.has(finishReason);
}
