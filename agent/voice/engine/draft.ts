// A step of the engine while it is made: what its parts share.
import type { ErrorCode } from "../../../protocol/errors.ts";
import { MAX_ITEM } from "../../../protocol/voice/limits.ts";
import { FAILURE_EVERY_MS, MAX_PAST_IDS } from "../limits.ts";
import type { ProviderCommand, VoiceEffect } from "./voice-effect.ts";
import type { ClientState, ProviderState, SpokenCall, VoiceState } from "./voice-state.ts";

export interface Draft {
  readonly now: number;
  state: VoiceState;
  readonly effects: VoiceEffect[];
}

export function change(draft: Draft, members: Partial<VoiceState>): void {
  draft.state = { ...draft.state, ...members };
}

export function changeProvider(draft: Draft, members: Partial<ProviderState>): void {
  change(draft, { provider: { ...draft.state.provider, ...members } });
}

export function changeClient(draft: Draft, members: Partial<ClientState>): void {
  const { client } = draft.state;
  if (client) change(draft, { client: { ...client, ...members } });
}

export function changeCall(
  draft: Draft,
  call: SpokenCall,
  members: Partial<SpokenCall>,
): SpokenCall {
  const changed = { ...call, ...members };
  const calls = draft.state.calls.map((each) => (each === call ? changed : each));
  change(draft, { calls });
  return changed;
}

/** A command to the provider, unless there is none. */
export function command(draft: Draft, command: ProviderCommand): void {
  const isThere = draft.state.provider.status !== "closed";
  if (isThere || command.type === "close") draft.effects.push({ type: "provider", command });
}

export function sendError(draft: Draft, code: ErrorCode, detail: string, ref?: string): void {
  if (!draft.state.client) return;
  const frame = { type: "error", code, detail, ...(ref !== undefined && { ref }) } as const;
  draft.effects.push({ type: "send", frame });
}

/** A word about a failure of the provider; not one for each of many. */
export function sendFailure(draft: Draft, detail: string): void {
  const { failed_ms } = draft.state;
  if (draft.now < failed_ms + FAILURE_EVERY_MS) return;
  change(draft, { failed_ms: draft.now });
  sendError(draft, "voice_failed", detail);
}

/** Ids that are over: what still comes of them is no surprise. */
export function remember(draft: Draft, ids: readonly (string | null)[]): void {
  const more = ids.filter((id) => id !== null && !draft.state.past_ids.includes(id));
  if (more.length === 0) return;
  const past_ids = [...draft.state.past_ids, ...more.filter((id) => id !== null)];
  change(draft, { past_ids: past_ids.slice(-MAX_PAST_IDS) });
}

/** The number of a new item. */
export function allotItem(draft: Draft): number {
  const item = draft.state.next_item;
  change(draft, { next_item: item >= MAX_ITEM ? 1 : item + 1 });
  return item;
}

export function idsOf(call: SpokenCall): readonly (string | null)[] {
  return [call.response_id, ...call.items.map(({ item_id }) => item_id)];
}
