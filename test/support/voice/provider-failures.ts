// Failures of realtime providers, and the answer of every adapter: refusals, closes, silence, floods.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FailureReport } from "../../../agent/failure-report.ts";
import type { Model } from "../../../agent/ports.ts";
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { createScriptedModel } from "../../../model/scripted/scripted-model.ts";
import { textToPcm } from "../../../model/voice/tones.ts";
import { waitUntil } from "../wait-for.ts";
import { askVoice, openVoice, spokenMessage } from "./opened-voice.ts";
import {
  SUITE_CREDENTIAL,
  SUITE_SECRET,
  type ProviderSuite,
  type StartedProvider,
  type VoiceOptions,
} from "./provider-suite.ts";

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});

export function describeFailures(suite: ProviderSuite): void {
  const { inputRate } = suite;
  let started: StartedProvider;
  beforeEach(async () => {
    started = await suite.start();
  });
  afterEach(() => started.stop());

  const open = (setup: Partial<VoiceSetup> = {}, options?: VoiceOptions) =>
    openVoice(started.makeVoice(options), setup);
  const refusalOf = async (options?: VoiceOptions) => {
    const model = started.makeVoice(options);
    const stop = new AbortController().signal;
    const setup = { instructions: "", history: [], tools: [], voice: "default", turns: null };
    return model.open({ ...setup, rates: model.rates }, () => {}, stop);
  };

  describe(`The voice of ${suite.name}, where the provider fails,`, () => {
    it.each([
      [401, "authentication", "credential_refused"],
      [404, "invalid_request", "not_found"],
      [429, "rate_limit", "rate_limited"],
      [503, "upstream", "provider_error"],
    ] as const)(
      "names a refusal by %i, with the provider's words for developers",
      async (...row) => {
        const [status, type, kind] = row;
        const message = `No, not with ${SUITE_SECRET}.`;
        started.traps.refusal = { status, body: JSON.stringify({ error: { message } }) };

        const refused = await refusalOf();

        expect(refused).toMatchObject({
          ok: false,
          error: { type },
          report: { kind, http_status: status, message: "No, not with [redacted]." },
        });
        expect(JSON.stringify(refused)).not.toContain(SUITE_SECRET);
      },
    );

    it.each([
      ["is not answered at all", "timeout", { openMs: 200 }],
      ["is not taken", "timeout", { readyMs: 200 }],
    ] as const)("gives up where the setup %s", async (how, kind, limits) => {
      if (how === "is not taken") started.traps.isDeaf = true;
      else started.traps.refusal = "hang";

      const refused = await refusalOf({ limits });

      expect(refused).toMatchObject({ ok: false, error: { type: "connection" }, report: { kind } });
    });

    it.each([
      [1_007, "invalid_request"],
      [1_008, "permission_refused"],
      [1_011, "provider_error"],
    ] as const)("names a close with %i before the setup is taken", async (code, usual) => {
      started.traps.isDeaf = true;
      const refusing = refusalOf();
      const client = await started.server.client();
      await waitUntil(() => client.frames[0]);
      client.close(code, `Not with ${SUITE_SECRET}`);

      expect(await refusing).toMatchObject({
        ok: false,
        report: {
          kind: suite.closes?.[code] ?? usual,
          code: `${code}`,
          message: "Not with [redacted]",
        },
      });
    });

    it("sends no secret to a host that may not have it", async () => {
      const problem = "may not be sent to 127.0.0.1";
      const refused = await refusalOf({ secrets: () => ({ ok: false, type: "setup", problem }) });

      expect(refused).toMatchObject({
        ok: false,
        error: {
          type: "setup",
          message: `The credential ${SUITE_CREDENTIAL} of this agent's model ${problem}.`,
        },
      });
      expect(started.server.clients).toEqual([]);
    });

    it("leaves a response that does not go on, and says why", async () => {
      const { connection, until } = await open({}, { limits: { silenceMs: 200 } });
      started.traps.isStuck = true;
      connection.appendAudio(textToPcm("/say Yes.", inputRate));
      connection.commit();
      await until("heard item1");
      const [model] = connection.speaks([NOBODY]);

      expect(await failureOf(model, [spokenMessage(440)])).toEqual({
        said: ["error connection"],
        report: { kind: "stalled" },
      });
      expect((await until("ended")).at(-1)).toBe("ended: stalled");
    });

    it("leaves a provider that floods it", async () => {
      const limits = { burstFrames: 200, framesPerSecond: 1 };
      const { until } = await open({}, { limits });
      const client = await started.server.client();
      for (let sent = 0; sent < 400; sent += 1) client.send({ type: "from.the.future" });

      expect((await until("ended")).at(-1)).toBe("ended: too_large");
      await waitUntil(() => client.closed);
    });

    it.each(["no json", "[1,2]", '"text"', "null", "{"])(
      "leaves a provider that sends %s",
      async (text) => {
        const { until } = await open();
        (await started.server.client()).sendText(text);

        expect((await until("ended")).at(-1)).toBe("ended: malformed_answer");
      },
    );
  });
}

/** The words of a call, and the reason that it failed, as developers are told. */
export async function failureOf(model: Model, messages: Parameters<typeof askVoice>[1]) {
  const reports: FailureReport[] = [];
  const reporting: Model = {
    ...model,
    stream: (request, stop) =>
      model.stream(request, stop, (found) => {
        if ("failure" in found) reports.push(found.failure);
      }),
  };
  const said = await askVoice(reporting, messages);
  return { said, report: reports[0] };
}
