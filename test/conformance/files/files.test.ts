// Files over HTTP: a phone's photo from its upload to its deletion, and what must not be seen or taken.
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";

import { describe, expect, inject, it, onTestFinished } from "vitest";

import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { FileLink, StoredFile } from "../../../protocol/files/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { says, startFakeOpenAi, type FakeOpenAi } from "../../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const PHOTO_BYTES = 8_000_000;

function photo(bytes = PHOTO_BYTES): Buffer<ArrayBuffer> {
  const content = Buffer.alloc(bytes);
  randomBytes(bytes).copy(content);
  content.set([0xff, 0xd8, 0xff, 0xe0]);
  return content;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function upload(
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  query = "",
): Promise<StoredFile> {
  const response = await fetch(`${inject("baseUrl")}/v1/files${query}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/jpeg" },
    body: bytes,
  });
  expect(response.status).toBe(201);
  return (await response.json()) as StoredFile;
}

function dataBlock(url: string, media_type = "image/jpeg"): object {
  return { type: "data", source: { type: "url", url, media_type } };
}

async function openChat() {
  const model = await startFakeOpenAi(says("A pair of shoes."));
  onTestFinished(() => model.stop());
  const { key } = await createTenant();
  const agent = await createAgent(key, {
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
    tools: [],
  });
  const session = await createSession(key, agent);
  return { model, key, agent, session, path: `/v1/sessions/${session}` };
}

async function mint(key: string, session: string): Promise<string> {
  const { body } = await request<ClientToken>("POST", `/v1/sessions/${session}/tokens`, {
    key,
    body: { verbs: ["read", "reply", "upload"] },
  });
  return body.token;
}

/** The data URLs of the images in the model's newest request. */
function imagesSeen({ requests }: FakeOpenAi): readonly string[] {
  const body = requests.at(-1)?.body as { messages: readonly { content: unknown }[] } | undefined;
  const messages = body?.messages ?? [];
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? (content as { image_url?: { url: string } }[]).flatMap(
          ({ image_url }) => image_url?.url ?? [],
        )
      : [],
  );
}

function textSeen({ requests }: FakeOpenAi): string {
  return JSON.stringify(requests.at(-1)?.body);
}

describe("a phone's photo", () => {
  it(
    "is uploaded by a client token, seen by the model, replayed in small rows, and deleted with its session",
    BROAD,
    async () => {
      const { model, key, agent, session, path } = await openChat();
      const token = await mint(key, session);
      const bytes = photo();

      const file = await upload(token, bytes, "?filename=IMG_1.jpg");
      const { body: reply } = await request<{ message: Msg; status: string }>(
        "POST",
        `${path}/replies`,
        {
          key: token,
          body: { input: [dataBlock(file.url), { type: "text", text: "What is it?" }] },
        },
      );

      expect([file.media_type, file.bytes, reply.status]).toEqual([
        "image/jpeg",
        PHOTO_BYTES,
        "completed",
      ]);
      const [image = ""] = imagesSeen(model);
      const [start, data = ""] = image.split(",");
      expect([start, digest(Buffer.from(data, "base64"))]).toEqual([
        "data:image/jpeg;base64",
        digest(bytes),
      ]);

      const { body: events } = await request<{ data: LoggedEvent[] }>("GET", `${path}/events`, {
        key,
      });
      expect(Math.max(...events.data.map((event) => JSON.stringify(event).length))).toBeLessThan(
        4_096,
      );
      expect(JSON.stringify(events.data)).toContain(file.url);

      const other = await mint(key, await createSession(key, agent));
      const { key: stranger } = await createTenant();
      for (const credential of [other, stranger]) {
        for (const place of [`/v1/files/${file.id}`, `/v1/files/${file.id}/content`]) {
          expect((await request("GET", place, { key: credential })).status).toBe(404);
        }
      }
      const { body: link } = await request<FileLink>("POST", `/v1/files/${file.id}/links`, {
        key: token,
        body: {},
      });
      const shown = await fetch(link.url);
      expect([shown.status, digest(new Uint8Array(await shown.arrayBuffer()))]).toEqual([
        200,
        digest(bytes),
      ]);

      expect((await request("DELETE", path, { key })).status).toBe(204);
      expect((await request("GET", `/v1/files/${file.id}`, { key })).status).toBe(404);
      expect((await fetch(link.url)).status).toBe(404);
      await waitFor(async () => {
        const { body } = await request<{ used: { stored_bytes: number } }>("GET", "/v1/limits", {
          key,
        });
        expect(body.used.stored_bytes).toBeLessThan(PHOTO_BYTES);
      });
    },
  );

  it("stays as long as a fork names it, and is seen there", async () => {
    const { model, key, session, path } = await openChat();
    const token = await mint(key, session);
    const bytes = photo(200_000);
    const file = await upload(token, bytes);
    await request("POST", `${path}/replies`, { key, body: { input: [dataBlock(file.url)] } });
    const { body: fork } = await request<{ id: string }>("POST", `${path}/fork`, { key, body: {} });

    await request("DELETE", path, { key });
    const kept = await request("GET", `/v1/files/${file.id}`, { key: await mint(key, fork.id) });
    const again = { key, body: { input: "And now?" } };
    await request("POST", `/v1/sessions/${fork.id}/replies`, again);
    const images = imagesSeen(model);
    await request("DELETE", `/v1/sessions/${fork.id}`, { key });

    expect([kept.status, images.length]).toEqual([200, 1]);
    expect(digest(Buffer.from(images[0]?.split(",")[1] ?? "", "base64"))).toBe(digest(bytes));
    expect((await request("GET", `/v1/files/${file.id}`, { key })).status).toBe(404);
  });

  it("in base64 becomes a file, the same one when the request is repeated", async () => {
    const { model, key, path } = await openChat();
    const bytes = photo(300_001);
    const source = { type: "base64", media_type: "image/jpeg", data: bytes.toString("base64") };
    const message = { id: "msg-1", content: [{ type: "data", id: "b1", source }] };

    const first = await request("POST", `${path}/replies`, { key, body: { input: message } });
    const again = await request("POST", `${path}/replies`, { key, body: { input: message } });

    expect([first.status, again.status, model.requests.length]).toEqual([200, 200, 1]);
    expect(digest(Buffer.from(imagesSeen(model)[0]?.split(",")[1] ?? "", "base64"))).toBe(
      digest(bytes),
    );
    const { body: files } = await request<{ data: StoredFile[] }>("GET", "/v1/files", { key });
    expect(files.data.map((file) => [file.media_type, file.bytes])).toEqual([
      ["image/jpeg", 300_001],
    ]);
    const { body: events } = await request<{ data: LoggedEvent[] }>("GET", `${path}/events`, {
      key,
    });
    expect(Math.max(...events.data.map((event) => JSON.stringify(event).length))).toBeLessThan(
      4_096,
    );
  });
});

describe("what a model call may hold", () => {
  it(
    "is twenty megabytes of media, the newest first; older ones become a note",
    BROAD,
    async () => {
      const { model, key, session, path } = await openChat();
      const bytes = [photo(), photo(), photo()];
      const input = [];
      for (const one of bytes) {
        input.push(dataBlock((await upload(key, one, `?session_id=${session}`)).url));
      }

      const { body: reply } = await request<{ status: string }>("POST", `${path}/replies`, {
        key,
        body: { input },
      });

      expect(reply.status).toBe("completed");
      expect(
        imagesSeen(model).map((url) => digest(Buffer.from(url.split(",")[1] ?? "", "base64"))),
      ).toEqual(bytes.slice(1).map(digest));
      expect(textSeen(model)).toContain("left out: the media of one call may have 20 MB");
    },
  );

  it("is nothing that was deleted: a note says so", async () => {
    const { model, key, session, path } = await openChat();
    const file = await upload(key, photo(1_000), `?session_id=${session}`);
    await request("POST", `${path}/observe`, {
      key,
      body: { messages: { content: [dataBlock(file.url)] } },
    });
    await request("DELETE", `/v1/files/${file.id}`, { key });

    await request("POST", `${path}/replies`, { key, body: { input: "What was it?" } });

    expect(imagesSeen(model)).toEqual([]);
    expect(textSeen(model)).toContain("which is not there any more");
  });
});

describe("a file of another session or tenant", () => {
  it("is not found in any input, and no reply begins", async () => {
    const { model, key, agent, session, path } = await openChat();
    const other = await createSession(key, agent);
    const { key: stranger } = await createTenant();
    const foreign = [
      await upload(key, photo(1_000), `?session_id=${other}`),
      await upload(stranger, photo(1_000)),
    ];
    const token = await mint(key, session);

    const seen = [];
    for (const { url } of foreign) {
      const content = [dataBlock(url)];
      const asked: [string, string, unknown][] = [
        ["POST", `${path}/replies`, { input: content }],
        ["POST", `${path}/replies`, { input: { content } }],
        ["POST", `${path}/observe`, { messages: { content } }],
        ["PUT", `${path}/state`, { context: [{ name: "kim", role: "user", content }] }],
        [
          "POST",
          `${path}/events`,
          {
            type: "EXTERNAL_EXECUTION_RESULT",
            reply_id: "rep_1",
            execution_results: [{ id: "call_1", output: content }],
          },
        ],
        [
          "POST",
          `/v1/agents/${agent}/ag-ui`,
          {
            threadId: session,
            runId: "run-1",
            messages: [
              {
                id: "m1",
                role: "user",
                content: [
                  { type: "image", source: { type: "url", value: url, mimeType: "image/jpeg" } },
                ],
              },
            ],
          },
        ],
      ];
      for (const [method, place, body] of asked) {
        const answer = await request<{ code: string }>(method, place, { key, body });
        seen.push([place.replace(session, ""), answer.status, answer.body.code]);
      }
    }

    expect(seen).toEqual(seen.map(([place]) => [place, 404, "not_found"]));
    const tenantFile = await upload(key, photo(1_000));
    const byToken = await request("POST", `${path}/replies`, {
      key: token,
      body: { input: [dataBlock(tenantFile.url)] },
    });
    expect(byToken.status).toBe(404);
    expect(model.requests).toEqual([]);
  });

  it("is named by no link, and by no address of another kind", async () => {
    const { key, session, path } = await openChat();
    const file = await upload(key, photo(1_000), `?session_id=${session}`);
    const { body: link } = await request<FileLink>("POST", `/v1/files/${file.id}/links`, {
      key,
      body: {},
    });

    const answers = [];
    for (const url of [link.url, `${file.url}?x=1`, "http://shop.example/a.png"]) {
      const body = { input: [dataBlock(url)] };
      answers.push(
        (await request<{ code: string }>("POST", `${path}/replies`, { key, body })).status,
      );
    }

    expect(answers).toEqual([400, 400, 400]);
  });
});

describe("an upload whose length is wrong", () => {
  for (const [rows, breadth] of sampled(
    [
      ["shorter than announced", 200_000, 100_000],
      ["cut in its first bytes", 200_000, 10],
    ],
    1,
  ))
    it.each(rows)("%s leaves nothing", breadth, async (_, announced, sent) => {
      const { key } = await createTenant();
      const url = new URL(inject("baseUrl"));

      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(url.port), url.hostname, () => {
          socket.write(
            `POST /v1/files HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${announced}\r\n\r\n`,
          );
          socket.end(photo(sent));
        });
        socket.on("close", () => resolve());
        socket.on("error", reject);
        socket.resume();
      });

      const { body } = await request<{ data: unknown[] }>("GET", "/v1/files", { key });
      expect(body.data).toEqual([]);
      // The platform goes on.
      expect((await openRequest("GET", "/v1/limits", { key })).status).toBe(200);
    });
});
