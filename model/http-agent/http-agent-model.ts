// An agent in code on a server of its tenant, in the place of a model: each turn is one signed POST, asked again under the
// same id after a crash or a cut connection.
import type { FailureReport, ModelReporter } from "../../agent/failure-report.ts";
import type { Model } from "../../agent/ports.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { redact } from "../../outgoing/redact.ts";
import { wholeJson } from "../../outgoing/whole-letters.ts";
import type { HttpCodeAgent } from "../../protocol/agents/http-code-agent.ts";
import { streamAnswer } from "../stream/stream-answer.ts";
import { classifyTurn, LATE_TURN, turnError, TurnRefusal } from "./turn-errors.ts";
import { TurnReader } from "./turn-reader.ts";
import { turnRequest, type AgentMethod, type ServedReply } from "./turn-request.ts";

type Prepared =
  | { readonly ok: true; readonly init: RequestInit; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export interface HttpAgentSettings {
  readonly definition: HttpCodeAgent;
  readonly method: AgentMethod;
  readonly reply: ServedReply;
  readonly outgoing: OutgoingFetch;
  /** The request with the definition's headers and signature. */
  prepare(id: string, body: string): Promise<Prepared>;
}

export function createHttpAgentModel(settings: HttpAgentSettings): Model {
  const { definition, method, reply, outgoing } = settings;
  const { url, timeout_ms, signing_credential_id = null } = definition;
  return {
    name: "code_agent",
    origin: { provider: "http", host: hostOf(url), credential_id: signing_credential_id },
    costOf: () => 0,
    async *stream(request, stop, report) {
      if (stop.aborted) return;
      const question = turnRequest(request, reply, method);
      const prepared = await settings.prepare(question.id, wholeJson(question));
      if (stop.aborted) return;
      if (!prepared.ok) {
        report?.({ failure: { kind: "setup", message: prepared.reason } });
        yield { error: turnError("setup") };
        return;
      }
      const { init, secrets } = prepared;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeout_ms);
      const isLate = (): boolean => late.signal.aborted;
      const call = {
        apiKey: "",
        stallMs: timeout_ms,
        send: async (signal: AbortSignal) => {
          const ends = AbortSignal.any([signal, late.signal]);
          const response = await outgoing(url, { ...init, signal: ends });
          if (response.ok) return response;
          void response.body?.cancel().catch(() => undefined);
          throw new TurnRefusal(response, Date.now());
        },
        refused: () => false,
        taken: () => null,
        classify: classifyTurn,
        createReader: (isEventStream: boolean) => new TurnReader(isEventStream),
      };
      try {
        for await (const chunk of streamAnswer(call, stop, reporter(report, secrets, isLate))) {
          const isOwn = !chunk.error || chunk.error.type === "output_limit";
          if (isOwn) yield chunk;
          else yield { ...chunk, error: isLate() ? LATE_TURN : turnError(chunk.error.type) };
        }
      } finally {
        clearTimeout(timer);
        late.abort();
      }
    },
  };
}

/** Without the secrets that were sent, which the server may repeat. */
function reporter(
  report: ModelReporter | undefined,
  secrets: readonly string[],
  isLate: () => boolean,
): ModelReporter {
  return (found) => {
    if (!("failure" in found)) return;
    const { failure } = found;
    report?.({ failure: isLate() ? { kind: "timeout" } : withoutSecrets(failure, secrets) });
  };
}

function withoutSecrets(failure: FailureReport, secrets: readonly string[]): FailureReport {
  const { code, message, request_id } = failure;
  return {
    ...failure,
    ...(code !== undefined && { code: redact(code, secrets) }),
    ...(message !== undefined && { message: redact(message, secrets) }),
    ...(request_id !== undefined && { request_id: redact(request_id, secrets) }),
  };
}
