// Frames of the client in the engine.
import { MAX_TURN_AUDIO_MS } from "../../../protocol/voice/limits.ts";
import { MAX_OPENING_AUDIO_MS } from "../limits.ts";
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
  switch (input.type) {
    case "speaker_changed":
      return changeSpeaker(draft, input);
    case "audio":
      return takeAudioFrame(draft, input.ms);
    case "commit":
      return commit(draft, input.ref);
    case "clear":
      return clearSpeech(draft);
    case "text":
      if (draft.state.settings.takes_text === false) return refuseText(draft, input.ref);
      openProvider(draft);
      cutIn(draft, input.from);
      return takeText(draft, input.text, input.ref);
    case "cut_in":
      cutIn(draft);
      return;
    case "interrupt":
      return interrupt(draft, input);
    case "played":
      return notePlayed(draft, input);
    default:
      return input satisfies never;
  }
}

function refuseText(draft: Draft, ref: string | undefined): void {
  const detail =
    "this voice takes no typed text; speak, or give the agent's voice a `speech` model";
  sendError(draft, "text_turn_unsupported", detail, ref);
}

function openClient(draft: Draft, { turns, from }: InputOf<"client_opened">): void {
  leaveClient(draft);
  if (draft.state.provider.turns !== turns) closeProvider(draft);
  change(draft, { client: { turns, speaker: from, reports: false }, active_ms: draft.now });
}

/** A provider finds turns in one way to its end: for a speaker with the other it is opened anew, and says nothing more. */
function changeSpeaker(draft: Draft, { turns, from }: InputOf<"speaker_changed">): void {
  changeClient(draft, { turns, speaker: from });
  const { provider } = draft.state;
  if (provider.status === "closed" || provider.turns === turns) return;
  cutIn(draft, from);
  closeProvider(draft);
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

function takeAudioFrame(draft: Draft, ms: number): void {
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
    changeProvider(draft, { commit: { ref: undefined, at_ms: draft.now } });
    command(draft, { type: "commit" });
  }
}

function commit(draft: Draft, ref: string | undefined): void {
  const { provider } = draft.state;
  if (provider.status === "closed" || provider.given_ms <= provider.turned_ms) {
    sendError(draft, "validation_failed", "there is no audio that could be a turn", ref);
    return;
  }
  changeProvider(draft, { commit: { ref, at_ms: draft.now } });
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
  const isInterrupted = !isOther && cutIn(draft, input.from);
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
