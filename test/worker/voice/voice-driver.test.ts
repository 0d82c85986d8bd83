// The driver of a voice connection, and its end: it is let go when nothing of it is left, and writes nothing behind that.
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";

import { MAX_UNSETTLED_TURNS } from "../../../agent/voice/limits.ts";
import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { describeVoice } from "../../../durable-objects/voice/open-provider.ts";
import { VoiceActs } from "../../../durable-objects/voice/voice-acts.ts";
import { VoiceDriver } from "../../../durable-objects/voice/voice-driver.ts";
import { VoiceSettingsSchema } from "../../../protocol/voice/contract.ts";
import { waitFor } from "../../support/wait-for.ts";
import { withHeldSession } from "../sessions/held-session.ts";

afterEach(() => vi.restoreAllMocks());

function openDriver(session: OpenSession) {
  const model = { provider: "scripted" };
  const voice = VoiceSettingsSchema.parse({ mode: "realtime", model, idle_seconds: 1 });
  const over = vi.fn();
  const parts = { session, env, voice, model: describeVoice(voice), over };
  const driver = new VoiceDriver({ ...parts, inBackground: () => undefined });
  return { driver, over };
}

it("a connection without a client is over when its provider has been let go", () =>
  withHeldSession({}, async ({ session }) => {
    const { driver, over } = openDriver(session);
    driver.tell({ type: "client_opened", turns: "manual" });
    driver.tell({ type: "audio", ms: 100 }, new Uint8Array(3_200));
    await Promise.resolve();
    const early = over.mock.calls.length;

    await waitFor(() => expect(over).toHaveBeenCalled());
    expect([early, driver.isOver]).toEqual([0, true]);
  }));

it("what acts still tell of an erased session is for nobody", () =>
  withHeldSession({}, async ({ session, state }) => {
    const { driver, over } = openDriver(session);
    // Its provider is being opened, and finds no tables.
    vi.spyOn(console, "error").mockReturnValue(undefined);
    driver.tell({ type: "client_opened", turns: "manual" });
    driver.tell({ type: "audio", ms: 100 }, new Uint8Array(3_200));
    closeSession(session);
    await state.storage.deleteAll();
    driver.dispose();
    driver.tell({ type: "client_opened", turns: "server" });
    driver.tell({ type: "act_refused", turn: 1, code: "not_found", detail: "it was deleted" });
    await Promise.resolve();

    expect([over.mock.calls, await state.storage.getAlarm()]).toEqual([[], null]);
  }));

it("a reply begins with no more turns than are waited for, however many were never written down", () =>
  withHeldSession({}, async ({ session }) => {
    const acts = new VoiceActs({
      session,
      actor: () => ({ kind: "api_key", id: "key_1" }) as never,
      tell: () => undefined,
      speaksReply: () => undefined,
      takePictures: () => [],
      placed: () => undefined,
    });
    const start = vi.spyOn(session.queue, "start");
    const last = MAX_UNSETTLED_TURNS + 4;
    for (let turn = 1; turn <= last; turn += 1)
      await acts.perform({ type: "place_message", turn, item: turn, start_ms: 0, end_ms: 200 });
    const message = { type: "placed" } as const;
    await acts.perform({ type: "begin_reply", turn: last, message, on_busy: "queue" });

    const [[request] = []] = start.mock.calls;
    const input = request?.input as unknown as readonly { readonly metadata: { speech: object } }[];
    expect(input.map(({ metadata }) => metadata.speech)).toEqual(
      Array.from({ length: MAX_UNSETTLED_TURNS }, (_, index) => ({
        state: "transcribing",
        item: String(index + 5),
        ms: 200,
        spoken_by: { kind: "api_key", id: "key_1" },
      })),
    );
  }));
