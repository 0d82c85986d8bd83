// An agent of another system in the place of a model. It keeps the conversation itself, so that it is sent what is new alone.
import { openRemoteAgent, type OpenedAgent } from "../../a2a/open-remote-agent.ts";
import type { Model } from "../../agent/ports.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { RemoteAgentModel } from "../../protocol/models/contract.ts";
import { errorOf, REMOTE_ERRORS, reportOf } from "./remote-errors.ts";
import { failed, RemoteTurn, type RemoteReply } from "./remote-turn.ts";

export interface RemoteAgentSettings {
  readonly definition: RemoteAgentModel;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  /** Left out where no reply is given. */
  readonly reply?: RemoteReply;
}

export function createRemoteAgentModel(settings: RemoteAgentSettings): Model {
  const { definition } = settings;
  let opened: Extract<OpenedAgent, { ok: true }> | null = null;
  /** Of the call that was made last. */
  let costUsd: number | null = null;
  return {
    name: definition.name,
    origin: { provider: "a2a", host: null, credential_id: definition.credential_id ?? null },
    costOf: () => costUsd,
    async *stream(request, stop, report) {
      costUsd = null;
      const { reply } = settings;
      if (!reply) {
        yield* failed(REMOTE_ERRORS.elsewhere, report);
        return;
      }
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      stop.addEventListener("abort", abort, { once: true });
      try {
        if (stop.aborted) return;
        if (!opened) {
          const ports = { ...settings, ...reply };
          const found = await openRemoteAgent(definition, ports, controller.signal);
          if (stop.aborted) return;
          if (!found.ok) {
            const failure = { ...found, mayHaveArrived: false };
            report?.({ failure: reportOf(failure) });
            yield { error: errorOf(failure) };
            return;
          }
          opened = found;
        }
        const { signal } = controller;
        const costs = (usd: number | null): void => {
          costUsd = usd;
        };
        const call = { request, reply, stop, signal, report, costs };
        const turn = new RemoteTurn(opened.connect(), call);
        yield* turn.run();
      } finally {
        stop.removeEventListener("abort", abort);
        controller.abort();
      }
    },
  };
}
