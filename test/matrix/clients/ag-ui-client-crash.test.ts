// The real client of AG-UI while its platform is killed with kill -9 in the middle of a run, and started again.
import { expect, onTestFinished, test } from "vitest";

import { Reprise, type LoggedEvent } from "../../../sdk/index.ts";
import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { clientSayings, heldBy, play } from "./thread-desk.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";
import { readFrames, watchAgent } from "./watched-agent.ts";

expectNoWarnings();

/** Some seconds of them: the platform dies long before the last. */
const WORDS = 200;
const SCRIPT = `/think I look.\n/say I look it up.\n/call look {}\n/rate 40\n/words ${WORDS}`;

const platform = mortalPlatform();

/** The platform's address and client; started when it was killed. */
async function reach(key: string) {
  const { base_url: baseUrl } = await platform.running();
  return { baseUrl, reprise: new Reprise({ baseUrl, apiKey: key }) };
}

/** The client itself would let the failure escape from the run, where nobody can catch it. */
function untilBroken(body: Response["body"]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(
    (async function* () {
      try {
        for await (const bytes of body ?? []) yield bytes;
      } catch (error) {
        expect(error).toMatchObject({ message: "terminated" });
      }
    })(),
  );
}

test("a run that was killed in the middle of a text is taken up by running again, and has it once", async () => {
  const key = await platform.createTenant();
  const tools = await startToolServer({ "/look": answer('{"output":"a teapot"}') });
  onTestFinished(() => tools.stop());
  const first = await reach(key);
  const { id: agentId } = await first.reprise.agents.create({
    name: "Desk",
    tools: [{ type: "http", name: "look", url: `${tools.url}/look`, read_only: true }],
  });
  const threadId = (await first.reprise.sessions.create({ agent_id: agentId })).id;
  const client = watchAgent({
    key,
    agentId,
    threadId,
    url: `${first.baseUrl}/v1/agents/${agentId}/ag-ui`,
    async fetch(url, init) {
      const response = await fetch(url, init);
      return new Response(untilBroken(response.body), response);
    },
  });
  client.agent.addMessage({ id: "m-1", role: "user", content: SCRIPT });
  let deltas = 0;
  const isInText = Promise.withResolvers<void>();
  const lost = client.agent.runAgent(
    {},
    {
      onTextMessageContentEvent: () => {
        deltas += 1;
        if (deltas === 10) isInText.resolve();
      },
    },
  );
  await isInText.promise;
  await platform.kill();
  await lost;
  const partly = clientSayings(client.agent.messages);

  const second = await reach(key);
  client.agent.url = `${second.baseUrl}/v1/agents/${agentId}/ag-ui`;
  const { end } = await client.run();

  expect(partly.map(([kind]) => kind)).toEqual([
    "user",
    "reasoning",
    "assistant",
    "call",
    "tool",
    "assistant",
  ]);
  expect(end).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  const events: LoggedEvent[] = [];
  for await (const event of second.reprise.session(threadId).events({ after: 0 })) {
    events.push(event);
  }
  const recoveries = events.filter(
    (event) => event.type === "CUSTOM" && event.name === "reply_recovered",
  );
  expect(recoveries).toHaveLength(1);
  const sayings = clientSayings(client.agent.messages);
  expect(sayings.map(([kind]) => kind)).toEqual(partly.map(([kind]) => kind));
  expect(sayings.at(-1)?.[2]?.split(" ")).toHaveLength(WORDS);
  const joined = await fetch(`${client.agent.url}?thread_id=${threadId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await joined.text();
  expect(readFrames(text).length).toBeGreaterThan(2);
  expect(await play(text)).toEqual(heldBy(client.agent));
  expect(tools.calls("/look")).toBe(1);
});
