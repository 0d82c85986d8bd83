// What drives a voice connection, and its end: it is let go when nothing of it is left, and writes nothing behind that.
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { describeVoice } from "../../../durable-objects/voice/open-provider.ts";
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
    driver.tell({ type: "client_opened", turns: "server", since_ms: 0 });
    driver.tell({ type: "act_refused", turn: 1, code: "not_found", detail: "it was deleted" });
    await Promise.resolve();

    expect([over.mock.calls, await state.storage.getAlarm()]).toEqual([[], null]);
  }));
