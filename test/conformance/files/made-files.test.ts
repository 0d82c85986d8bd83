// Pictures that tools and models make, over HTTP: files of their session, the same address for every reader.
import { createHash, randomBytes } from "node:crypto";

import { expect, inject, it, onTestFinished } from "vitest";

import { EVENT_FORMATS } from "../../../protocol/dialects/dialects.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { appendEvent, startMessage } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD } from "../../support/breadth.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

const PICTURE_BYTES = 300_001;

function picture(): Buffer {
  const bytes = randomBytes(PICTURE_BYTES);
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const callsCamera: FakeTurn = (stream) => {
  stream.calls({ index: 0, id: "call_1", name: "camera", arguments: "{}" });
  stream.finish("tool_calls");
  stream.done();
};

/** Text, a picture, text: as OpenRouter streams pictures. */
function draws(bytes: Buffer): FakeTurn {
  return (stream) => {
    stream.text("This is ");
    const url = `data:image/jpeg;base64,${bytes.toString("base64")}`;
    stream.delta({ images: [{ type: "image_url", image_url: { url } }] });
    stream.text("a shoe.");
    stream.finish();
    stream.done();
  };
}

/** The addresses of data in a message, of a tool's result and of the model's own. */
function addressesIn({ content }: Msg): readonly string[] {
  const blocks = content.flatMap((block) =>
    block.type === "tool_result" && typeof block.output !== "string" ? block.output : [block],
  );
  return blocks.flatMap((block) =>
    block.type === "data" && block.source.type === "url" ? block.source.url : [],
  );
}

/** @param source What the tool answers with. */
async function openDesk(source: () => object, ...turns: readonly [FakeTurn, ...FakeTurn[]]) {
  const tools = await startToolServer({
    "/camera": (response, call) => {
      const output = [{ type: "data", source: { media_type: "image/jpeg", ...source() } }];
      return answer(JSON.stringify({ output }))(response, call);
    },
  });
  const model = await startFakeOpenAi(...turns);
  onTestFinished(async () => {
    await tools.stop();
    await model.stop();
  });
  const { key } = await createTenant();
  const agent = await createAgent(key, {
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
    tools: [{ type: "http", name: "camera", url: `${tools.url}/camera`, read_only: true }],
  });
  const session = await createSession(key, agent);
  return { model, key, agent, session, path: `/v1/sessions/${session}` };
}

it(
  "a tool's picture and a model's are files that the model is shown, in small events, the same from every cut",
  BROAD,
  async () => {
    const [photo, drawn] = [picture(), picture()];
    const { model, key, agent, session, path } = await openDesk(
      () => ({ type: "base64", data: photo.toString("base64") }),
      callsCamera,
      draws(drawn),
      says("Blue."),
    );

    const { body: reply } = await request<{ message: Msg; id: string; status: string }>(
      "POST",
      `${path}/replies`,
      { key, body: { input: "What do you see?" } },
    );
    await request("POST", `${path}/replies`, { key, body: { input: "Which colour?" } });

    expect(reply.status).toBe("completed");
    const addresses = addressesIn(reply.message);
    const digests = [];
    for (const address of addresses) {
      const { pathname } = new URL(address);
      const content = await openRequest("GET", pathname, { key });
      digests.push(digest(new Uint8Array(await content.arrayBuffer())));
    }
    expect(digests).toEqual([digest(photo), digest(drawn)]);
    expect(model.requests[1]?.text).toContain(photo.toString("base64"));
    expect(model.requests[2]?.text).toContain(photo.toString("base64"));

    const { body: log } = await request<{ data: LoggedEvent[] }>("GET", `${path}/events`, { key });
    expect(Math.max(...log.data.map((event) => JSON.stringify(event).length))).toBeLessThan(4_096);
    const events = log.data.filter((event) => event.reply_id === reply.id);
    const [start, ...rest] = events;
    if (start?.type !== "REPLY_START") throw new Error("a reply begins with REPLY_START");
    for (let cut = 0; cut <= rest.length; cut += 1) {
      const held = rest.slice(0, cut).reduce(appendEvent, startMessage(start));
      const restored = JSON.parse(JSON.stringify(held)) as Msg;
      expect(JSON.stringify(rest.slice(cut).reduce(appendEvent, restored))).toBe(
        JSON.stringify(reply.message),
      );
    }
    for (const format of EVENT_FORMATS) {
      const place = `${path}/events?format=${format}&after=0&reply_id=${reply.id}`;
      const stream = await openRequest("GET", place, {
        key,
        headers: { Accept: "text/event-stream" },
      });
      const text = await stream.text();
      expect([format, addresses.filter((address) => !text.includes(address))]).toEqual([
        format,
        [],
      ]);
      expect(text).not.toContain(photo.toString("base64").slice(0, 1_000));
    }

    const { key: stranger } = await createTenant();
    const other = await request<{ token: string }>(
      "POST",
      `/v1/sessions/${await createSession(key, agent)}/tokens`,
      { key, body: { verbs: ["read"] } },
    );
    const { body: files } = await request<{ data: StoredFile[] }>("GET", "/v1/files", { key });
    expect(files.data.map(({ session_id, bytes }) => [session_id, bytes])).toEqual([
      [session, PICTURE_BYTES],
      [session, PICTURE_BYTES],
    ]);
    for (const { id } of files.data) {
      for (const credential of [stranger, other.body.token]) {
        expect((await request("GET", `/v1/files/${id}/content`, { key: credential })).status).toBe(
          404,
        );
      }
    }
    await request("DELETE", path, { key });
    expect((await request<{ data: unknown[] }>("GET", "/v1/files", { key })).body.data).toEqual([]);
  },
);

it(
  "a tool that names another session's file shows its bytes to no model and no reader",
  BROAD,
  async () => {
    let url = "";
    const { model, key, agent, session, path } = await openDesk(
      () => ({ type: "url", url }),
      callsCamera,
      says("Hm."),
    );
    const secret = picture();
    const upload = await fetch(
      `${inject("baseUrl")}/v1/files?session_id=${await createSession(key, agent)}`,
      {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/jpeg" },
        body: new Uint8Array(secret),
      },
    );
    ({ url } = (await upload.json()) as StoredFile);

    await request("POST", `${path}/replies`, { key, body: { input: "What do you see?" } });

    const seen = model.requests[1]?.text ?? "";
    expect(seen).toContain("which is not there any more");
    expect(seen).not.toContain(secret.toString("base64").slice(0, 200));
    const { body: reader } = await request<{ token: string }>(
      "POST",
      `/v1/sessions/${session}/tokens`,
      { key, body: { verbs: ["read"] } },
    );
    const read = await request("GET", new URL(url).pathname, { key: reader.token });
    expect([upload.status, read.status]).toEqual([201, 404]);
  },
);
