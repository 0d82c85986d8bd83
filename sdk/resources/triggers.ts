import type {
  CreatedTrigger,
  Trigger,
  TriggerCreateSchema,
  TriggerRun,
  TriggerRunCreateSchema,
  TriggerSecretRotateSchema,
  TriggerUpdateSchema,
} from "../../protocol/triggers/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, postTo } from "../transport/write-requests.ts";
import { collection, type Collection } from "./collection.ts";

export interface TriggerFilter extends ListQuery {
  readonly agent_id?: string;
  readonly room_id?: string;
  readonly status?: Trigger["status"];
}

export interface TriggerRunFilter extends ListQuery {
  readonly status?: TriggerRun["status"];
}

/** The runs of one trigger, which are kept for 30 days. */
export interface TriggerRuns {
  /** By hand, also while the trigger is paused; the run goes on by itself. */
  create(
    run?: InputOf<typeof TriggerRunCreateSchema>,
    options?: RequestOptions,
  ): Promise<TriggerRun>;
  /** Newest first. */
  list(query?: TriggerRunFilter, options?: RequestOptions): Paged<TriggerRun>;
  get(id: string, options?: RequestOptions): Promise<TriggerRun>;
}

/** Triggers begin replies, or discussions of a room, by a schedule, by webhooks of other systems, or by hand. */
export interface Triggers extends Collection<
  Trigger,
  InputOf<typeof TriggerCreateSchema>,
  CreatedTrigger,
  InputOf<typeof TriggerUpdateSchema>,
  TriggerFilter
> {
  pause(id: string, options?: RequestOptions): Promise<Trigger>;
  unpause(id: string, options?: RequestOptions): Promise<Trigger>;
  /** A new secret of its webhook, returned only here; the old one is accepted too for `overlap_ms`. */
  rotateSecret(
    id: string,
    rotation?: InputOf<typeof TriggerSecretRotateSchema>,
    options?: RequestOptions,
  ): Promise<CreatedTrigger>;
  runs(triggerId: string): TriggerRuns;
}

export function triggersOf(transport: Transport): Triggers {
  const path = ["triggers"];
  const act = (id: string, name: string, options?: RequestOptions) =>
    postTo<Trigger>(transport, [...path, id, name], undefined, options);
  return {
    ...collection(transport, ...path),
    // Only the first answer has the secret of a webhook.
    create: (trigger, options) =>
      trigger.webhook === undefined
        ? postTo(transport, path, trigger, options)
        : createSecretAt(transport, path, trigger, options),
    pause: (id, options) => act(id, "pause", options),
    unpause: (id, options) => act(id, "unpause", options),
    rotateSecret: (id, rotation, options) =>
      createSecretAt(transport, [...path, id, "rotate-secret"], rotation, options),
    runs: (triggerId) => collection(transport, ...path, triggerId, "runs"),
  };
}
