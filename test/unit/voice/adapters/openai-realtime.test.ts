import { expect, it, onTestFinished } from "vitest";

import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { UserMsg } from "../../../../protocol/messages/constructors.ts";
import { openAiSuite } from "../../../support/voice/openai-voice.ts";
import { openVoice } from "../../../support/voice/opened-voice.ts";
import { describeFailures, failureOf } from "../../../support/voice/provider-failures.ts";
import { describeProvider } from "../../../support/voice/provider-suite.ts";

for (const provider of ["openai", "xai"] as const) {
  describeProvider(openAiSuite(provider));
  describeFailures(openAiSuite(provider));
}

it("gives up a response that does not go on, though other frames come", async () => {
  const { server, traps, makeVoice, stop } = await openAiSuite("openai").start();
  onTestFinished(stop);
  traps.isStuck = true;
  const { connection, until } = await openVoice(makeVoice({ limits: { progressMs: 400 } }));
  const client = await server.client();
  const beating = setInterval(() => client.send({ type: "rate_limits.updated" }), 20);
  onTestFinished(() => clearInterval(beating));
  const [model] = connection.speaks([NOBODY]);

  expect(await failureOf(model, [UserMsg("user", "/say Yes.")])).toEqual({
    said: ["error connection"],
    report: { kind: "stalled" },
  });
  expect((await until("r1 is")).at(-1)).toBe("r1 is failed");
});

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});
