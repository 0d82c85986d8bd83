// The provider connection in the engine: when it is opened, let go, and what its loss means.
import { FIRST_RETRY_MS, MAX_RETRY_MS, MAX_STRAYS } from "../limits.ts";
import {
  change,
  changeCall,
  changeProvider,
  command,
  idsOf,
  remember,
  sendFailure,
  type Draft,
} from "./draft.ts";
import { endItems } from "./output-items.ts";
import { failTurn } from "./user-turns.ts";

/** Opens the provider if it is closed. @param isUrgent Also so soon after a loss. @returns Whether it is there now, or will be. */
export function openProvider(draft: Draft, isUrgent = false): boolean {
  const { provider, client } = draft.state;
  if (provider.status !== "closed") return true;
  if (draft.now < provider.retry_ms && !isUrgent) return false;
  changeProvider(draft, {
    status: "opening",
    turns: client?.turns ?? "server",
    opened_ms: draft.now,
    given_ms: 0,
    turned_ms: 0,
    commit: null,
    strays: 0,
  });
  command(draft, { type: "open" });
  return true;
}

export function noteOpened(draft: Draft): void {
  if (draft.state.provider.status === "opening") changeProvider(draft, { status: "open" });
}

/** Lets the provider go. Its conversation is given to the next one anew. */
export function closeProvider(draft: Draft): void {
  if (draft.state.provider.status === "closed") return;
  command(draft, { type: "close" });
  forgetProvider(draft);
}

/** The provider has gone by itself. @param isUnheard It may have heard nothing for a while. */
export function loseProvider(draft: Draft, isUnheard = false): void {
  const { provider, speech, turns, calls } = draft.state;
  if (provider.status === "closed") return;
  const isMissed =
    isUnheard ||
    provider.status === "opening" ||
    provider.commit !== null ||
    speech !== null ||
    turns.some(({ transcript }) => transcript === null) ||
    calls.some(({ response_id, is_done }) => response_id !== null && !is_done);
  const wait = provider.failures === 0 ? 0 : FIRST_RETRY_MS * 2 ** (provider.failures - 1);
  const firstWait = provider.status === "opening" ? FIRST_RETRY_MS : 0;
  changeProvider(draft, {
    failures: Math.min(provider.failures + 1, 10),
    retry_ms: draft.now + Math.min(MAX_RETRY_MS, Math.max(wait, firstWait)),
  });
  forgetProvider(draft);
  if (isMissed) sendFailure(draft, "the connection to the model that hears or speaks was lost");
}

/** An event that belongs to nothing. A provider that sends many is given up. */
export function noteStray(draft: Draft): void {
  const strays = draft.state.provider.strays + 1;
  changeProvider(draft, { strays });
  if (strays < MAX_STRAYS) return;
  command(draft, { type: "close" });
  loseProvider(draft);
  sendFailure(draft, "the model that hears or speaks sent events that belong to nothing");
}

function forgetProvider(draft: Draft): void {
  changeProvider(draft, { status: "closed", commit: null });
  const { speech } = draft.state;
  if (speech) remember(draft, [speech.item_id]);
  change(draft, { speech: null });
  for (const turn of draft.state.turns) if (turn.transcript === null) failTurn(draft, turn, false);
  for (const call of draft.state.calls) {
    remember(draft, idsOf(call));
    if (call.response_id === null || call.is_done) continue;
    endItems(draft, changeCall(draft, call, { is_done: true, is_failed: true }));
  }
}
