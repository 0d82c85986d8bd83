// Frames of the client in the engine.
import type { ErrorCode } from "../../../protocol/errors.ts";
import {
  MAX_AUDIO_AHEAD_MS,
  MAX_FRAMES_PER_WINDOW,
  MAX_TURN_AUDIO_MS,
} from "../../../protocol/voice/limits.ts";
import { AUDIO_PACE, FRAME_WINDOW_MS, LEAST_FRAME_MS, MAX_OPENING_AUDIO_MS } from "../limits.ts";
import { cutIn, interruptReply } from "./cut-in.ts";
import {
  change,
  changeClient,
  changeProvider,
  command,
  remember,
  sendError,
  type Draft,
} from "./draft.ts";
import { notePlayed, playedItems, playedMsOf, tellOver } from "./output-items.ts";
import { closeProvider, openProvider } from "./provider-connection.ts";
import { takeText } from "./user-turns.ts";
import type { ClientInput } from "./voice-input.ts";

type InputOf<Type extends ClientInput["type"]> = Extract<ClientInput, { type: Type }>;

export function takeClientInput(draft: Draft, input: ClientInput): void {
  if (input.type === "client_opened") return openClient(draft, input);
  if (input.type === "client_closed") return leaveClient(draft);
  if (!draft.state.client) return;
  refill(draft);
  if (input.type === "audio") return takeAudioFrame(draft, input.ms);
  if (!spendFrame(draft)) return;
  switch (input.type) {
    case "commit":
      return commit(draft, input.ref);
    case "clear":
      return clearSpeech(draft);
    case "text":
      openProvider(draft);
      cutIn(draft);
      return takeText(draft, input.text, input.ref);
    case "interrupt":
      return interrupt(draft, input);
    case "played":
      return notePlayed(draft, input.item, input.ms);
    case "other_frame":
      return;
    default:
      return input satisfies never;
  }
}

function openClient(draft: Draft, { turns, since_ms }: InputOf<"client_opened">): void {
  leaveClient(draft);
  const { provider, settings } = draft.state;
  if (provider.turns !== turns) closeProvider(draft);
  change(draft, {
    client: {
      turns,
      ends_ms: (since_ms ?? draft.now) + settings.max_ms,
      audio_credit_ms: MAX_AUDIO_AHEAD_MS,
      frame_credit: MAX_FRAMES_PER_WINDOW,
      filled_ms: draft.now,
      reports: false,
    },
    active_ms: draft.now,
  });
}

/**
 * The client's socket has gone: what it was told stays as it was said. A turn in the middle of which it went is forgotten, as
 * its end will not come.
 */
function leaveClient(draft: Draft): void {
  const { client, speech, provider, calls } = draft.state;
  if (!client) return;
  if (speech || provider.given_ms > provider.turned_ms) clearSpeech(draft);
  const played = playedItems(draft.state, draft.now);
  change(draft, { client: null });
  for (const call of calls) {
    if (call.cut) continue;
    remember(
      draft,
      call.items.map(({ item_id }) => item_id),
    );
    tellOver(draft, call, (item) => playedMsOf(item, played));
  }
  change(draft, {
    calls: draft.state.calls.map((call) =>
      call.cut
        ? { ...call, cut: { ...call.cut, is_told: true } }
        : { ...call, items: [], is_muted: true },
    ),
  });
}

export function closeClient(draft: Draft, code: ErrorCode, detail: string): void {
  draft.effects.push({ type: "close", code, detail });
  leaveClient(draft);
}

/** Time that has passed is allowed anew, as milliseconds of audio and as frames. */
function refill(draft: Draft): void {
  const { client } = draft.state;
  if (!client) return;
  const passedMs = Math.max(0, draft.now - client.filled_ms);
  const frames = (passedMs / FRAME_WINDOW_MS) * MAX_FRAMES_PER_WINDOW;
  changeClient(draft, {
    audio_credit_ms: Math.min(MAX_AUDIO_AHEAD_MS, client.audio_credit_ms + passedMs * AUDIO_PACE),
    frame_credit: Math.min(MAX_FRAMES_PER_WINDOW, client.frame_credit + frames),
    filled_ms: draft.now,
  });
}

function spendFrame(draft: Draft): boolean {
  const credit = (draft.state.client?.frame_credit ?? 0) - 1;
  changeClient(draft, { frame_credit: credit });
  if (credit >= 0) return true;
  closeClient(draft, "rate_limited", "too many frames came within a short time");
  return false;
}

function takeAudioFrame(draft: Draft, ms: number): void {
  const credit = (draft.state.client?.audio_credit_ms ?? 0) - Math.max(ms, LEAST_FRAME_MS);
  changeClient(draft, { audio_credit_ms: credit });
  if (credit < 0) {
    closeClient(draft, "too_much_audio", "audio came much faster than it can have been spoken");
    return;
  }
  change(draft, { active_ms: draft.now });
  if (!openProvider(draft)) return;
  const { provider } = draft.state;
  if (provider.status === "opening" && provider.given_ms + ms > MAX_OPENING_AUDIO_MS) return;
  command(draft, { type: "append" });
  changeProvider(draft, { given_ms: provider.given_ms + ms });
  endLongTurn(draft);
}

/** A turn that is too long ends here, and is answered. */
function endLongTurn(draft: Draft): void {
  const { speech, provider, client } = draft.state;
  if (speech) {
    if (speech.is_ended || provider.given_ms - speech.start_ms < MAX_TURN_AUDIO_MS) return;
    change(draft, { speech: { ...speech, is_ended: true } });
    command(draft, { type: "commit" });
    return;
  }
  const isLong = provider.given_ms - provider.turned_ms >= MAX_TURN_AUDIO_MS;
  if (client?.turns === "manual" && isLong && !provider.commit) {
    changeProvider(draft, { commit: { ref: undefined } });
    command(draft, { type: "commit" });
  }
}

function commit(draft: Draft, ref: string | undefined): void {
  const { provider } = draft.state;
  if (provider.status === "closed" || provider.given_ms <= provider.turned_ms) {
    sendError(draft, "validation_failed", "there is no audio that could be a turn", ref);
    return;
  }
  changeProvider(draft, { commit: { ref } });
  command(draft, { type: "commit" });
}

function clearSpeech(draft: Draft): void {
  const { speech, provider } = draft.state;
  if (speech) remember(draft, [speech.item_id]);
  change(draft, { speech: null });
  changeProvider(draft, { turned_ms: provider.given_ms, commit: null });
  command(draft, { type: "clear" });
}

/** An interrupt ends the reply whatever it does, and what is played of it. */
function interrupt(draft: Draft, input: InputOf<"interrupt">): void {
  const { reply_id } = input;
  const { reply, calls } = draft.state;
  const isOther =
    reply_id !== undefined &&
    reply?.reply_id !== reply_id &&
    !calls.some((call) => call.reply_id === reply_id);
  const isInterrupted = !isOther && cutIn(draft);
  if (isInterrupted || draft.state.reply?.is_interrupted) return;
  if (input.only_spoken) interruptSpoken(draft, input);
  else interruptReply(draft, reply_id ?? null);
}

/** Ends the reply if this connection has begun it, also one that is about to begin. */
function interruptSpoken(draft: Draft, { reply_id, ref }: InputOf<"interrupt">): void {
  const { reply, spoken, starting } = draft.state;
  const ended = reply_id ?? reply?.reply_id;
  if (ended !== undefined && spoken.includes(ended)) return interruptReply(draft, ended);
  // Whether the open reply is ours is known when ours is said to have begun.
  if (starting.length > 0 && ended === reply?.reply_id) {
    change(draft, { starting: starting.map((each) => ({ ...each, is_cut: true })) });
  } else if (ended !== undefined) {
    sendError(draft, "verb_missing", OF_OTHERS, ref);
  }
}

const OF_OTHERS = "others have begun that reply; to end it the credential needs the verb interrupt";
