// Providers that find the turns and say nothing of one: a socket may be half open, or speech be taken for noise.
import { describe, expect, it, onTestFinished } from "vitest";

import { textToPcm } from "../../../../model/voice/tones.ts";
import { startDashScopeVoice } from "../../../support/voice/dashscope-voice.ts";
import { openAiSuite } from "../../../support/voice/openai-voice.ts";
import { openVoice, SERVER_TURNS } from "../../../support/voice/opened-voice.ts";
import type { ProviderTraps } from "../../../support/voice/provider-suite.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const LIMITS = { unheardMs: 50, readyMs: 50 };

describe.each([
  ["OpenAI", 24_000, () => openAiSuite("openai").start()],
  ["Qwen-Omni", 16_000, startDashScopeVoice],
] as const)("%s", (_name, rate, start) => {
  const speech = textToPcm("/say Good day to you.", rate);
  const silence = new Uint8Array(rate * 4);

  async function open() {
    const started = await start();
    onTestFinished(started.stop);
    const opened = await openVoice(started.makeVoice({ limits: LIMITS }), { turns: SERVER_TURNS });
    const traps: ProviderTraps = started.traps;
    const client = await started.server.client();
    const isUpdate = ({ type }: Readonly<Record<string, unknown>>) => type === "session.update";
    const updates = () => client.frames.filter(isUpdate).length;
    return { ...opened, traps, updates };
  }

  it("whose socket is half open is given up while somebody speaks", async () => {
    const { connection, traps, until } = await open();
    traps.isGone = true;
    connection.appendAudio(speech);

    expect((await until("ended")).at(-1)).toBe("ended: stalled");
  });

  it("which takes speech for noise is asked whether it is there, and kept", async () => {
    const { connection, traps, updates, lines } = await open();
    const before = updates();
    traps.hearsNoise = true;
    for (const count of [1, 2]) {
      connection.appendAudio(speech);
      connection.appendAudio(silence);
      await waitUntil(() => updates() === before + count || undefined);
    }
    traps.hearsNoise = false;
    connection.appendAudio(speech);
    connection.appendAudio(silence);
    await waitUntil(() => lines().some((line) => line.startsWith("heard")) || undefined);

    expect(lines().filter((line) => line.startsWith("ended"))).toEqual([]);
  });
});
