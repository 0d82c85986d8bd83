// Questions to a person that a task of another system's agent waits with, and their answers as parts of the next message.
// A free text is never an approval: a confirmation has a field of its own.
import {
  A2A_EXTENSION,
  extensionData,
  type A2aAnswer,
  type A2aQuestion,
} from "../../protocol/a2a/extension.ts";
import type { A2aMessage, A2aPart } from "../../protocol/a2a/wire.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { InputResponse, InputResponses } from "../../protocol/mcp/events.ts";
import {
  MAX_INPUT_KEY_CHARACTERS,
  MAX_INPUT_MESSAGE_CHARACTERS,
  MAX_INPUT_REQUESTS,
} from "../../protocol/mcp/limits.ts";
import { readInputRequest, type InputRequestRead } from "../inputs/read-input-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A question, as far as its answer needs it: kept while a person thinks. */
export interface AskedQuestion {
  /** `text` and `errand` are those of agents that do not know our extension: an answer in words, and a thing to do. */
  readonly kind: A2aQuestion["kind"] | "text" | "errand";
  /** The key of the question, and the id of the agent's own call where there is one. */
  readonly key: string;
  /** Given back with the answer to a confirmation: the hash of the input that was shown. */
  readonly input_hash?: string;
}

export type QuestionsRead =
  | {
      readonly ok: true;
      readonly requests: Readonly<Record<string, InputRequest>>;
      readonly asked: readonly AskedQuestion[];
      /** Answers that nobody is asked for: forms that want a secret. */
      readonly settled: InputResponses;
    }
  /** The rest of a sentence about the agent. */
  | { readonly ok: false; readonly problem: string };

/** @param isSignIn Of `AUTH_REQUIRED`. */
export function readQuestions(message: A2aMessage | undefined, isSignIn: boolean): QuestionsRead {
  const parts = message?.parts ?? [];
  const typed = parts.flatMap((part) => questionsOf(extensionData(part)));
  if (typed.length > MAX_INPUT_REQUESTS) {
    return { ok: false, problem: "asks too many questions at once" };
  }
  if (typed.length === 0) return plainQuestion(parts, isSignIn);
  const requests: [string, InputRequest][] = [];
  const asked: AskedQuestion[] = [];
  const settled: [string, InputResponse][] = [];
  for (const question of typed) {
    const { call_id: key, kind, input_hash } = question;
    if (asked.some((one) => one.key === key)) {
      return { ok: false, problem: "asks the same question twice" };
    }
    const read = readQuestion(question);
    if (read.type === "unusable") return { ok: false, problem: read.problem };
    asked.push({ kind, key, ...(kind === "confirmation" && input_hash && { input_hash }) });
    if (read.type === "secret") settled.push([key, { action: "decline" }]);
    else requests.push([key, read.request]);
  }
  return { ok: true, requests: Object.fromEntries(requests), asked, settled: fromEntries(settled) };
}

/** The mark of questions among which is a confirmation. */
export function confirmsOf(asked: readonly AskedQuestion[]): { readonly confirms?: true } {
  return asked.some(({ kind }) => kind === "confirmation") ? { confirms: true } : {};
}

/** Parts of the answer; null where nobody gives what the task needs, so that it is cancelled. */
export function answerParts(
  asked: readonly AskedQuestion[],
  responses: InputResponses,
): readonly A2aPart[] | null {
  const given = asked.map((question) => ({ question, response: responseTo(question, responses) }));
  const plain = given.filter(({ question }) => isPlain(question));
  if (plain.some(({ response }) => response.action !== "accept")) return null;
  const isUnsigned = given.some(
    ({ question, response }) => question.kind === "sign_in" && response.action !== "accept",
  );
  if (isUnsigned) return null;
  const answers = given.flatMap(({ question, response }) => answerTo(question, response));
  const texts = plain.flatMap(({ question, response }): A2aPart[] => {
    if (question.kind === "errand") return [{ text: "The user says that it is done." }];
    const content = response.action === "accept" ? response.content : undefined;
    const said = content?.["answer"];
    return [{ text: typeof said === "string" ? said : "" }];
  });
  const data: A2aPart[] = answers.length > 0 ? [{ data: { [A2A_EXTENSION]: { answers } } }] : [];
  return [...texts, ...data];
}

function isPlain({ kind }: AskedQuestion): boolean {
  return kind === "text" || kind === "errand";
}

function responseTo({ key }: AskedQuestion, responses: InputResponses): InputResponse {
  return (Object.hasOwn(responses, key) ? responses[key] : undefined) ?? { action: "cancel" };
}

function answerTo(
  { kind, key: call_id, input_hash }: AskedQuestion,
  given: InputResponse,
): A2aAnswer[] {
  const content = given.action === "accept" ? (given.content ?? {}) : {};
  switch (kind) {
    case "confirmation": {
      // Nothing but the field itself, as true, is a yes.
      const confirmed = content["confirmed"] === true;
      return [{ kind, call_id, confirmed, ...(input_hash !== undefined && { input_hash }) }];
    }
    case "external_result": {
      const isGiven = given.action === "accept";
      const output = isGiven ? (content["output"] ?? "") : "The user has given no result.";
      return [{ kind, call_id, output, ...(!isGiven && { is_error: true }) }];
    }
    case "input": {
      const { action } = given;
      return [{ kind, call_id, action, ...(action === "accept" && { content }) }];
    }
    case "sign_in":
    case "text":
    case "errand":
      return [];
    default:
      return kind satisfies never;
  }
}

/** The question as a form, or as a page that is opened. */
function readQuestion(question: A2aQuestion): InputRequestRead {
  const { kind, tool, arguments: given, message, schema, url } = question;
  if ((kind === "sign_in" || kind === "input") && url !== undefined) {
    const said = message ?? `${tool} needs a page to be opened.`;
    return readInputRequest({ mode: "url", message: said, url });
  }
  const about = message ?? `${tool} ${given}`;
  switch (kind) {
    case "confirmation": {
      const asked = `May it call ${tool}? ${message ?? ""}`.trim();
      const confirmed = { type: "boolean", title: "Allow this call" };
      return ownForm(`${asked}\n${given}`, { confirmed });
    }
    case "external_result":
      return ownForm(`The result of ${about}`, { output: { type: "string", title: "Result" } });
    case "input": {
      const requestedSchema = isJsonObject(schema) ? schema : EMPTY_FORM;
      return readInputRequest({ message: about, requestedSchema });
    }
    case "sign_in":
      return readInputRequest({ message: about, requestedSchema: EMPTY_FORM });
    default:
      return kind satisfies never;
  }
}

/** Our own fields ask for no secret, whatever words the agent's call has. */
function ownForm(said: string, properties: Fields): InputRequestRead {
  const isLong = said.length > MAX_INPUT_MESSAGE_CHARACTERS;
  const message = isLong ? `${said.slice(0, MAX_INPUT_MESSAGE_CHARACTERS - 1)}…` : said;
  const schema = { ...formOf(properties), additionalProperties: false };
  return { type: "request", request: { mode: "form", message, requested_schema: schema } };
}

const EMPTY_FORM = { type: "object", properties: {} };

function formOf(properties: Fields) {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The words of an agent that does not know our extension. */
function plainQuestion(parts: readonly A2aPart[], isSignIn: boolean): QuestionsRead {
  const said = parts.flatMap(({ text }) => (text ? [text] : [])).join("\n");
  const url = parts.find((part) => part.url !== undefined)?.url;
  const key = isSignIn ? "errand" : "text";
  const message = said === "" ? (isSignIn ? UNSAID_SIGN_IN : UNSAID) : said;
  const asked = isSignIn
    ? url === undefined
      ? { message, requestedSchema: EMPTY_FORM }
      : { mode: "url", message, url }
    : { message, requestedSchema: formOf({ answer: { type: "string", title: "Answer" } }) };
  const read = readInputRequest(asked);
  if (read.type === "unusable") return { ok: false, problem: read.problem };
  const question = { kind: key, key } as const;
  return read.type === "secret"
    ? { ok: true, requests: {}, asked: [question], settled: { [key]: { action: "decline" } } }
    : { ok: true, requests: { [key]: read.request }, asked: [question], settled: {} };
}

const UNSAID = "The agent needs an answer, and does not say to what.";
const UNSAID_SIGN_IN = "The agent needs a sign-in, and does not say where.";

/** Questions of another shape are left out. */
function questionsOf(data: unknown): readonly A2aQuestion[] {
  if (!isJsonObject(data) || !Array.isArray(data["questions"])) return [];
  return (data["questions"] as readonly unknown[]).flatMap((one): readonly A2aQuestion[] => {
    if (!isJsonObject(one)) return [];
    const { kind, call_id, tool, arguments: given, message, schema, url, input_hash } = one;
    const isHash =
      typeof input_hash === "string" &&
      input_hash !== "" &&
      input_hash.length <= MAX_HASH_CHARACTERS;
    const isKey =
      typeof call_id === "string" && call_id !== "" && call_id.length <= MAX_INPUT_KEY_CHARACTERS;
    if (!KINDS.has(kind) || !isKey || call_id === "__proto__") return [];
    return [
      {
        kind: kind as A2aQuestion["kind"],
        call_id,
        tool: textOf(tool, "a tool").slice(0, 200),
        arguments: textOf(given, unshownOf(one["omitted"])),
        ...(isHash && { input_hash }),
        ...(typeof message === "string" && { message }),
        ...(isJsonObject(schema) && { schema }),
        ...(typeof url === "string" && { url }),
      },
    ];
  });
}

/** Of the hash of a call's input: 64 in hex digits, with room for another form. */
const MAX_HASH_CHARACTERS = 256;

function unshownOf(omitted: unknown): string {
  if (!isJsonObject(omitted)) return "";
  const { bytes } = omitted;
  return typeof bytes === "number"
    ? `[arguments of ${bytes} bytes, which are not shown]`
    : "[arguments that are not shown]";
}

const KINDS: ReadonlySet<unknown> = new Set<A2aQuestion["kind"]>([
  "confirmation",
  "external_result",
  "input",
  "sign_in",
]);

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

function fromEntries(entries: readonly [string, InputResponse][]): InputResponses {
  return Object.fromEntries(entries);
}
