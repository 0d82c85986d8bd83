// Pictures and files from outside: which addresses are taken, at each of the places where they come in.
import { describe, expect, test } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { ask, makeAgent, makeSession, makeTenant, openSession, refusalOf } from "../support/api.ts";
import type { Call } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { externalResults, LABEL, openParked } from "../support/parked-session.ts";

const TAKEN = [
  "https://shop.example/shoe.jpg",
  "HTTPS://shop.example/shoe.jpg?size=2#a",
  "data:image/png;base64,aGk=",
  "data:IMAGE/PNG;base64,aGk=",
  "data:audio/wav;base64,aGk=",
  "data:video/mp4;base64,aGk=",
  "data:application/pdf;base64,aGk=",
  "data:application/json,%7B%7D",
  "data:text/plain;charset=utf-8,hello",
  "data:text/csv,a%2Cb",
];
const REFUSED = [
  "http://shop.example/shoe.jpg",
  "http://127.0.0.1/shoe.jpg",
  "file:///etc/passwd",
  "s3://bucket/shoe.jpg",
  "javascript:alert(1)",
  "blob:https://shop.example/1",
  "data:,hello",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml;base64,PHN2Zy8+",
  'data:image/x+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  "data:VIDEO/a.b+XML;base64,PHN2Zy8+",
  "data:image/xml,<svg/>",
  "data:text/javascript,alert(1)",
  "data:application/xhtml+xml,x",
  "data:application/octet-stream;base64,aGk=",
  "data:image/png",
  "data: text/html,x",
  "data:;base64,aGk=",
];

function blockOf(url: string) {
  return { type: "data", source: { type: "url", url, media_type: "image/png" } };
}

const assistant = { role: "assistant", name: "Desk", id: "m1" };

/** Each place: the request, and where in it the address stands. */
const PLACES: readonly (readonly [string, string, string, (url: string) => object])[] = [
  ["a block of an input", "POST", "/replies", (url) => ({ input: [blockOf(url)] })],
  ["a message", "POST", "/replies", (url) => ({ input: { content: [blockOf(url)] } })],
  ["what is observed", "POST", "/observe", (url) => ({ messages: { content: [blockOf(url)] } })],
  [
    "a message of a state",
    "PUT",
    "/state",
    (url) => ({
      context: [{ role: "user", name: "u", id: "m1", content: [blockOf(url)] }],
    }),
  ],
  [
    "a result in a state",
    "PUT",
    "/state",
    (url) => ({
      context: [
        {
          ...assistant,
          content: [
            { type: "tool_call", id: "c", name: "t", input: "{}", state: "finished" },
            { type: "tool_result", id: "c", name: "t", output: [blockOf(url)], state: "success" },
          ],
        },
      ],
    }),
  ],
  [
    "a hint in a state",
    "PUT",
    "/state",
    (url) => ({
      context: [{ ...assistant, content: [{ type: "hint", hint: [blockOf(url)] }] }],
    }),
  ],
  ["a state's summary", "PUT", "/state", (url) => ({ summary: [blockOf(url)] })],
];

/** A session of its own for each request: a state is taken by an empty one only. */
async function makeDesk() {
  const { call } = await makeTenant();
  const agent = await makeAgent(call);
  return async (method: string, path: string, json: object) => {
    const { id } = await makeSession(call, { agent_id: agent.id });
    return ask(method, `/v1/sessions/${id}${path}`, { ...call, json });
  };
}

for (const [rows, breadth] of sampled(PLACES, 2))
  describe.each(rows)("%s", breadth, (_, method, path, make) => {
    test("takes https: and data: of a known media type", async () => {
      const send = await makeDesk();
      const refused = [];
      for (const url of TAKEN) {
        const answer = await send(method, path, make(url));
        if (answer.status >= 300) refused.push([url, answer.text]);
      }

      expect(refused).toEqual([]);
    });

    test("takes no other address, and points at it", BROAD, async () => {
      const send = await makeDesk();
      const seen = [];
      for (const url of REFUSED) {
        const { status, json } = await send(method, path, make(url));
        const pointer = json.errors?.[0]?.pointer ?? "";
        seen.push([url, status, json.errors?.length, pointer.endsWith("/source/url")]);
      }

      expect(seen).toEqual(REFUSED.map((url) => [url, 400, 1, true]));
    });
  });

describe("the result of an external call", () => {
  test("brings a picture by https: or data: and by nothing else", async () => {
    const { call, events, reply, pending } = await openParked(LABEL);
    const post = (url: string) =>
      ask("POST", events, { ...call, json: externalResults(reply, pending, [blockOf(url)]) });
    const refused = [];
    for (const url of REFUSED) refused.push(refusalOf(await post(url)));
    const taken = await post("data:image/png;base64,aGk=");

    const pointers = ["#/execution_results/0/output/0/source/url"];
    expect(refused).toEqual(
      REFUSED.map(() => ({ status: 400, code: "validation_failed", pointers })),
    );
    expect(taken.status).toBe(202);
  });
});

describe("a run of AG-UI", () => {
  async function run(call: Call, agentId: string, part: object) {
    const input = runInput(`thread-${crypto.randomUUID()}`, "Hello");
    const messages = [{ id: crypto.randomUUID(), role: "user", content: [part] }];
    const answer = await ask("POST", `/v1/agents/${agentId}/ag-ui`, {
      ...call,
      json: { ...input, messages },
    });
    return [answer.status, answer.json.errors?.map(({ pointer }) => pointer)];
  }

  test("brings pictures and files by https: or data: and by nothing else", async () => {
    const { call, agent } = await openSession();
    const media = (value: string) => ({ type: "image", source: { type: "url", value } });
    const binary = (url: string) => ({ type: "binary", mimeType: "image/png", url });
    const seen = [];
    for (const url of REFUSED) {
      seen.push(await run(call, agent.id, media(url)), await run(call, agent.id, binary(url)));
    }
    const taken = [
      await run(call, agent.id, media("https://shop.example/shoe.jpg")),
      await run(call, agent.id, binary("data:image/png;base64,aGk=")),
    ];

    expect(seen).toEqual(
      REFUSED.flatMap(() => [
        [400, ["#/messages/0/content/0/source/value"]],
        [400, ["#/messages/0/content/0/url"]],
      ]),
    );
    expect(taken.map(([status]) => status)).toEqual([200, 200]);
  });
});
