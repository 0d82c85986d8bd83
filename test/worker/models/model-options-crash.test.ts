// Options of a reply's model calls, beside a machine that dies.
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";

import { withTools } from "../confirmations/parked.ts";
import { createdSession, readReply, stubOf, valueOf } from "../sessions/session.ts";

const ANSWER = [
  { choices: [{ index: 0, delta: { content: "Here." }, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join("");

const model = (name: string) => ({
  provider: "openai",
  name,
  base_url: "https://models.example/v1",
  parameters: { seed: 7 },
});

it("the options of a reply hold in the call that is made again after a crash", async () => {
  const init = await createdSession({ model: model("first"), allowed_models: [model("second")] });
  const asked = Promise.withResolvers<void>();
  let answers = 0;

  await withTools(
    async (calls) => {
      const model_options = {
        model: "second",
        parameters: { temperature: 0.25, max_tokens: 9 },
        reasoning_effort: "low" as const,
      };
      const { id } = valueOf(
        await stubOf(init).act("startReply", { input: "Hi", on_busy: "reject", model_options }),
      );
      await asked.promise;
      await abortAllDurableObjects();
      const { status } = await readReply(init, id, 60_000);

      expect(status).toBe("completed");
      expect(calls.length).toBeGreaterThan(1);
      for (const { body } of calls) {
        expect(JSON.parse(body)).toMatchObject({
          model: "second",
          temperature: 0.25,
          max_tokens: 9,
          reasoning_effort: "low",
          seed: 7,
        });
      }
    },
    async () => {
      answers += 1;
      // The machine dies while the model is silent.
      if (answers === 1) {
        asked.resolve();
        return new Promise<Response>(() => {});
      }
      return new Response(ANSWER, { headers: { "content-type": "text/event-stream" } });
    },
  );
});
