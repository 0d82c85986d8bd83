// `tools/call`: which tool, with which arguments, and what it begins.
import {
  AskArgumentsSchema,
  ResumeArgumentsSchema,
  StopArgumentsSchema,
  verbOf,
} from "../../protocol/agent-mcp/agent-tools.ts";
import type { MessageEra } from "../../protocol/agent-mcp/classify-message.ts";
import {
  isId,
  isObject,
  type RpcParams,
  type RpcRequest,
} from "../../protocol/agent-mcp/json-rpc.ts";
import { failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import type { AppContext } from "../app-env.ts";
import { refusalOfFailure } from "../handle-error.ts";
import { HttpError } from "../http-error.ts";
import { checkFields } from "../requests/check-fields.ts";
import { parseIdempotencyKey } from "../requests/parse-idempotency-key.ts";
import { askAgent } from "./ask-agent.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { done, type BegunCall, type ServedCall, type ServedAgent } from "./served-call.ts";
import { continueCall, resumeAgent } from "./resume-agent.ts";
import { stopAgent } from "./stop-agent.ts";

/** The key of `_meta` for clients that set no headers. */
const IDEMPOTENCY_META = "reprise/idempotency-key";

type ReadCall =
  | { readonly ok: true; readonly call: ServedCall }
  /** The message has an idempotency key that is none. */
  | { readonly ok: false; readonly problem: string };

/** @throws HttpError for a header that is no idempotency key: that is the whole request's fault. */
export function readCall(
  context: AppContext,
  agent: ServedAgent,
  era: MessageEra,
  { id, params }: RpcRequest,
): ReadCall {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const { progressToken } = meta;
  const own = meta[IDEMPOTENCY_META];
  const header = own === undefined ? context.req.header("Idempotency-Key") : undefined;
  const call = {
    context,
    agent,
    era,
    id,
    followerId: crypto.randomUUID(),
    progressToken: isId(progressToken) ? progressToken : undefined,
    idempotencyKey: header === undefined ? undefined : parseIdempotencyKey(header),
  };
  if (own === undefined) return { ok: true, call };
  try {
    // A value that is not text is refused as an empty key is.
    const idempotencyKey = parseIdempotencyKey(typeof own === "string" ? own : "");
    return { ok: true, call: { ...call, idempotencyKey } };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ok: false, problem: error.message };
  }
}

/** Contract: never rejects. What the calling model can mend is a failed result, and no error of the protocol. */
export async function beginCall(call: ServedCall, params: RpcParams): Promise<BegunCall> {
  const verb = verbOf(params["name"], call.agent.name);
  if (verb === null) return { kind: "invalid", message: "this agent has no such tool" };
  try {
    const { requestState } = params;
    if (requestState !== undefined) {
      if (typeof requestState !== "string" || call.era.era === "handshake") {
        return { kind: "invalid", message: "requestState is a text that this server has given" };
      }
      return await continueCall(call, requestState, params["inputResponses"]);
    }
    const given = params["arguments"] ?? {};
    switch (verb) {
      case "ask": {
        const read = checkFields(AskArgumentsSchema, given, ["arguments"]);
        return read.ok ? await askAgent(call, read.value) : misfit(read.errors);
      }
      case "resume": {
        const read = checkFields(ResumeArgumentsSchema, given, ["arguments"]);
        return read.ok ? await resumeAgent(call, read.value) : misfit(read.errors);
      }
      case "stop": {
        const read = checkFields(StopArgumentsSchema, given, ["arguments"]);
        return read.ok ? await stopAgent(call, read.value.session_id) : misfit(read.errors);
      }
      default:
        return verb satisfies never;
    }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return done(failedCall(describeRefusal(refusalOfFailure(failure, call.context))));
  }
}

function misfit(errors: Parameters<typeof describeRefusal>[0]["errors"]): BegunCall {
  const detail = "the arguments do not fit the tool";
  return done(failedCall(describeRefusal({ code: "validation_failed", detail, errors })));
}
