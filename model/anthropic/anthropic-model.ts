// Adapter of the Model port for Anthropic's Messages API, by the runtime's own fetch: the vendor's package would add
// 85 KB to the Worker (docs/decisions/2026-11-23-anthropic-without-its-package.md). Its types are used, which cost
// nothing.
import type { Model } from "../../agent/ports.ts";
import { baseUrlOf } from "../../protocol/models/contract.ts";
import { MODEL_ANSWER_MS } from "../../protocol/models/limits.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { withWholeLetters } from "../../outgoing/whole-letters.ts";
import { knownForm } from "../conversation/known-form.ts";
import { withOwnNames } from "../conversation/renamed-inputs.ts";
import { proofAuthor } from "../conversation/proof-author.ts";
import { AdaptedRequests } from "../stream/adapted-requests.ts";
import { originOf } from "../stream/origin-of.ts";
import { streamAnswer } from "../stream/stream-answer.ts";
import { withReadRefusals } from "../stream/with-read-refusals.ts";
import { ANTHROPIC_ADAPTATIONS } from "./anthropic-adaptations.ts";
import {
  AnthropicRefusal,
  anthropicRefusal,
  AnthropicTimeout,
  classifyAnthropicError,
} from "./anthropic-error.ts";
import { anthropicRequest, type AnthropicModelDefinition } from "./anthropic-request.ts";
import { namesOfTools } from "./anthropic-schema.ts";
import { MessageReader } from "./message-reader.ts";

const API_VERSION = "2023-06-01";

export interface AnthropicModelSettings {
  readonly definition: AnthropicModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Optional, because self-hosted endpoints need none. */
  readonly apiKey?: string;
  /** The form that an earlier call has learned, by the author of proofs. */
  readonly formOf?: (author: string) => RequestForm | undefined;
}

export function createAnthropicModel(settings: AnthropicModelSettings): Model {
  const { definition, outgoing, apiKey, formOf } = settings;
  const { name, base_url, credential_id, stall_ms } = definition;
  const by = proofAuthor(["anthropic", base_url, name, credential_id]);
  const address = messagesAddress(baseUrlOf(definition));
  const send = withReadRefusals(withWholeLetters(outgoing));
  const headers = {
    "content-type": "application/json",
    "anthropic-version": API_VERSION,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
  };
  const adapted = new AdaptedRequests({
    by,
    adaptations: ANTHROPIC_ADAPTATIONS,
    refusalOf: anthropicRefusal,
    base: knownForm(definition),
    known: formOf?.(by),
  });
  return {
    name,
    origin: originOf(definition),
    stream: (request, stop, report) => {
      const call = adapted.begin(request);
      const names = namesOfTools(request.tools);
      return streamAnswer(
        {
          apiKey: apiKey ?? "",
          stallMs: stall_ms,
          send: (signal) =>
            call.send((form) =>
              post(send, address, {
                headers,
                body: JSON.stringify(anthropicRequest(definition, request, { by, form, names })),
                signal,
                answerMs: stall_ms ?? MODEL_ANSWER_MS,
              }),
            ),
          refused: (refusal) => call.refused(refusal),
          taken: () => call.taken(),
          classify: classifyAnthropicError,
          createReader: (isEventStream) =>
            withOwnNames(new MessageReader(isEventStream, by), names),
        },
        stop,
        report,
      );
    },
  };
}

/** As the vendor's client takes a base URL: without `/v1`; one that has it is accepted too. */
function messagesAddress(base_url: string): string {
  return `${base_url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/messages`;
}

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Milliseconds until the headers of the answer must be there. */
  readonly answerMs: number;
}

async function post(
  send: OutgoingFetch,
  address: string,
  { headers, body, signal, answerMs }: Post,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  try {
    const response = await send(address, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.any([signal, late.signal]),
    });
    if (response.ok) return response;
    throw new AnthropicRefusal(response, await response.text(), Date.now());
  } catch (error) {
    throw late.signal.aborted ? new AnthropicTimeout() : error;
  } finally {
    clearTimeout(timer);
  }
}
