// Uploading and reading files through the front door.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { FileLink, StoredFile } from "../../../protocol/files/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { MAX_FILE_BYTES } from "../../../protocol/files/limits.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, makeTenant, openSession, refusalOf, send, type Call } from "../support/api.ts";
import { mintCall, mintToken } from "../support/client-token.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { JPEG, listKeys, PNG, upload, withBytes } from "./files.ts";

const R2_FAILED = "files: R2 failed";

describe("a file", () => {
  test("is what its bytes are, and is read back byte for byte", async () => {
    const { call } = await makeTenant();

    const answer = await upload(call, PNG, { query: "?filename=a%20b.png" });

    const { json: file } = answer;
    expect([answer.status, answer.headers.get("Location")]).toEqual([201, `/v1/files/${file.id}`]);
    expect(file).toEqual({
      id: expect.stringMatching(/^fil_/),
      session_id: null,
      name: "a b.png",
      media_type: "image/png",
      bytes: PNG.byteLength,
      url: `https://api.test/v1/files/${file.id}/content`,
      created_at: expect.any(String),
    });
    const content = await send("GET", `/v1/files/${file.id}/content`, call);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(PNG.byteLength),
      "content-disposition": `inline; filename="a b.png"; filename*=UTF-8''a%20b.png`,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    expect((await ask<StoredFile>("GET", `/v1/files/${file.id}`, call)).json).toEqual(file);
    expect((await ask<Page<StoredFile>>("GET", "/v1/files", call)).json.data).toEqual([file]);
  });

  test.each([
    ["without a length, in several parts", undefined],
    ["with its length", 12_000_001],
  ])("of twelve megabytes %s is stored whole", BROAD, async (_, length) => {
    const { call } = await makeTenant();
    const bytes = withBytes("%PDF-", 12_000_001);
    const headers: Record<string, string> =
      length === undefined ? {} : { "Content-Length": String(length) };

    const { json: file } = await upload({ ...call, headers }, inPieces(bytes));

    expect([file.media_type, file.bytes]).toEqual(["application/pdf", 12_000_001]);
    const content = await send("GET", `/v1/files/${file.id}/content`, call);
    const digest = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
    expect(new Uint8Array(digest)).toEqual(
      new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
    );
  });

  for (const [rows, breadth] of sampled(
    [
      ["bytes=0-9", 206, [0, 10], "bytes 0-9/200"],
      ["bytes=190-", 206, [190, 200], "bytes 190-199/200"],
      ["bytes=-5", 206, [195, 200], "bytes 195-199/200"],
      ["bytes=150-9999", 206, [150, 200], "bytes 150-199/200"],
      ["bytes=-9999", 206, [0, 200], "bytes 0-199/200"],
      ["bytes=9-0", 200, [0, 200], null],
      ["bytes=0-1,5-6", 200, [0, 200], null],
      ["lines=1-2", 200, [0, 200], null],
      ["bytes=-", 200, [0, 200], null],
    ],
    3,
  ))
    test.each(rows)(
      "gives %s as asked",
      breadth,
      async (range, status, [from, to], contentRange) => {
        const { call } = await makeTenant();
        const { json: file } = await upload(call, PNG);

        const answer = await send("GET", `/v1/files/${file.id}/content`, {
          ...call,
          headers: { Range: range },
        });

        expect([answer.status, answer.headers.get("Content-Range")]).toEqual([
          status,
          contentRange,
        ]);
        expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PNG.slice(from, to));
      },
    );

  test("has no range behind its end, and none that is for other bytes", async () => {
    const { call } = await makeTenant();
    const { json: file } = await upload(call, PNG);
    const path = `/v1/files/${file.id}/content`;

    const beyond = await ask("GET", path, { ...call, headers: { Range: "bytes=200-" } });
    const head = await send("HEAD", path, call);
    const etag = head.headers.get("ETag") ?? "";
    const held = await send("GET", path, { ...call, headers: { "If-None-Match": etag } });
    const other = { Range: "bytes=0-1", "If-Range": '"other"' };
    const whole = await send("GET", path, { ...call, headers: other });

    expect([refusalOf(beyond).code, beyond.status, beyond.headers.get("Content-Range")]).toEqual([
      "range_invalid",
      416,
      "bytes */200",
    ]);
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "200"]);
    expect([held.status, await held.text()]).toEqual([304, ""]);
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, 200]);
  });
});

describe("an upload is refused", () => {
  for (const [rows, breadth] of sampled(
    [
      ["a type that the bytes contradict", PNG, "image/jpeg"],
      [
        "a page that calls itself an image",
        "<!DOCTYPE html><script>alert(1)</script>",
        "image/png",
      ],
      ["a program that calls itself a PDF", withBytes("\x7fELF\x02", 64), "application/pdf"],
      ["bytes that call themselves text", withBytes("\0\x01", 64), "text/plain"],
    ],
    1,
  ))
    test.each(rows)("for %s, and says what both are", breadth, async (_, body, type) => {
      const { id, call } = await makeTenant();

      const answer = await upload(call, body, { type });

      expect(refusalOf(answer as never)).toEqual({
        status: 400,
        code: "validation_failed",
        pointers: ["#/header/Content-Type"],
      });
      expect(answer.text).toContain(`the header says ${type}, the bytes say `);
      expect(await listKeys(id)).toEqual([]);
    });

  test.each([
    ["an empty body", new Uint8Array(0), {}, 400],
    ["a form", PNG, { "Content-Type": "multipart/form-data; boundary=x" }, 415],
    ["a compressed body", PNG, { "Content-Encoding": "gzip" }, 415],
    ["an announced length that is too long", PNG, { "Content-Length": "100000001" }, 413],
    ["an announced length that is below zero", PNG, { "Content-Length": "-1" }, 400],
    ["an announced length that is no number", PNG, { "Content-Length": "0x20" }, 400],
    ["an announced length that is short", PNG, { "Content-Length": "150" }, 400, [R2_FAILED]],
    ["an announced length that is long", PNG, { "Content-Length": "5000" }, 400, [R2_FAILED]],
  ])("with %s", async (_, body, headers, status, said: readonly string[] = []) => {
    const log = hearLog();
    const { call } = await makeTenant();

    const answer = await upload({ ...call, headers }, body);

    expect(answer.status).toBe(status);
    expect((await ask<Page<StoredFile>>("GET", "/v1/files", call)).json.data).toEqual([]);
    expect(log).toEqual(said);
  });

  test("when it does not end, at the limit, and nothing of it is kept", BROAD, async () => {
    const { id, call } = await makeTenant();
    const piece = withBytes("\x89PNG\r\n\x1a\n", 1_000_000);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      type: "bytes",
      pull(controller: ReadableByteStreamController) {
        sent += piece.byteLength;
        controller.enqueue(piece.slice());
      },
    } as never);

    const answer = await upload(call, endless);

    expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(MAX_FILE_BYTES + 20_000_000);
    expect(await listKeys(id)).toEqual([]);
  });

  for (const [rows, breadth] of sampled(
    ["%2E%2E", "..%2Fetc%2Fpasswd", "a%5Cb.png", "a%0Ab", "a%00", "a%E2%80%AEgnp.exe", "%20"],
    1,
  ))
    test.each(rows)("with the name %s", breadth, async (name) => {
      const { call } = await makeTenant();

      const answer = await upload(call, PNG, { query: `?filename=${name}` });

      expect(refusalOf(answer as never)).toEqual({
        status: 400,
        code: "validation_failed",
        pointers: ["#/query/filename"],
      });
    });

  test("when the quota of stored bytes is used up, counted for small ones as 4 KB", async () => {
    const { id, call } = await makeTenant();
    await changeTenant(id, { quotas: { stored_bytes: 9_000 } });

    const answers = [await upload(call, "a"), await upload(call, "b"), await upload(call, "c")];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(answers[2]!.json).toMatchObject({ code: "quota_exceeded", quota: "stored_bytes" });
    expect((await readLimits(call)).used.stored_bytes).toBe(8_192);
  });

  test("when it grows beyond the quota while it comes", async () => {
    const { id, call } = await makeTenant();
    await changeTenant(id, { quotas: { stored_bytes: 100_000 } });

    const answer = await upload(call, inPieces(withBytes("%PDF-", 100_001)));

    expect([answer.status, (await readLimits(call)).used.stored_bytes]).toEqual([429, 4_096]);
  });
});

describe("what a browser could run", () => {
  for (const [rows, breadth] of sampled(
    [
      ["<html><script>alert(1)</script>", undefined, "text/html"],
      ["<html><script>alert(1)</script>", "text/plain", "text/html"],
      [
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>",
        "image/svg+xml",
        "image/svg+xml",
      ],
      ["PK\x03\x04 and more", undefined, "application/zip"],
    ],
    2,
  ))
    test.each(rows)("%s as %s is a download", breadth, async (body, type, media_type) => {
      const { call } = await makeTenant();
      const bytes = new TextEncoder().encode(body);
      const { json: file } = await upload(call, bytes, type === undefined ? {} : { type });

      const answer = await send("GET", `/v1/files/${file.id}/content`, call);

      expect([file.media_type, answer.headers.get("Content-Disposition")]).toEqual([
        media_type,
        "attachment",
      ]);
      await answer.arrayBuffer();
    });
});

describe("a client token", () => {
  test("uploads for its session and reads there, and nowhere else", async () => {
    const { call, session, path, agent } = await openSession();
    const other = await ask<{ id: string }>("POST", "/v1/sessions", {
      ...call,
      json: { agent_id: agent.id },
    });
    const token = await mintCall(path, call, { verbs: ["upload", "read"] });
    const stranger = await mintCall(`/v1/sessions/${other.json.id}`, call, { verbs: ["read"] });

    const { json: file } = await upload(token, JPEG);
    const foreign = await upload(token, JPEG, { query: `?session_id=${other.json.id}` });

    expect(file.session_id).toBe(session.id);
    expect(refusalOf(foreign as never).status).toBe(404);
    const reads = [`/v1/files/${file.id}`, `/v1/files/${file.id}/content`];
    for (const read of reads) {
      expect((await ask("GET", read, token)).status).toBe(200);
      expect((await ask("GET", read, stranger)).status).toBe(404);
      expect((await ask("GET", read, (await makeTenant()).call)).status).toBe(404);
    }
    const link = { ...stranger, json: {} };
    expect((await ask("POST", `/v1/files/${file.id}/links`, link)).status).toBe(404);
    expect((await ask<Page<StoredFile>>("GET", "/v1/files", token)).json.data).toEqual([file]);
    expect((await ask<Page<StoredFile>>("GET", "/v1/files", stranger)).json.data).toEqual([]);
    expect((await ask("DELETE", `/v1/files/${file.id}`, token)).status).toBe(403);
  });

  test("without the verb uploads nothing, and reads no file of the tenant", async () => {
    const { call, path } = await openSession();
    const token = await mintCall(path, call, { verbs: ["read", "reply"] });
    const { json: file } = await upload(call, PNG);

    const refused = await upload(token, PNG);

    expect(refused.json).toMatchObject({ code: "verb_missing", required_verb: "upload" });
    expect((await ask("GET", `/v1/files/${file.id}`, token)).status).toBe(404);
  });
});

describe("a link", () => {
  test("shows the bytes without a credential until the file goes", async () => {
    const { call } = await makeTenant();
    const { json: file } = await upload(call, PNG);
    const { json: link, status } = await ask<FileLink>("POST", `/v1/files/${file.id}/links`, {
      ...call,
      json: { ttl_seconds: 60 },
    });

    const path = link.url.replace("https://api.test", "");
    const shown = await send("GET", path);

    expect([status, shown.status]).toEqual([201, 200]);
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(PNG);
    expect((await ask("GET", `${path.slice(0, -2)}xx`)).status).toBe(401);
    await ask("DELETE", `/v1/files/${file.id}`, call);
    expect((await ask("GET", path)).status).toBe(404);
  });

  test("ends with the client token that made it at the latest", async () => {
    const { call, path } = await openSession();
    const token = await mintCall(path, call, { verbs: ["upload", "read"], ttl_seconds: 30 });
    const { json: file } = await upload(token, PNG);

    const { json: link } = await ask<FileLink>("POST", `/v1/files/${file.id}/links`, {
      ...token,
      json: { ttl_seconds: 86_400 },
    });

    expect(Date.parse(link.expires_at)).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test("ends when the client token that made it is revoked; others stay", async () => {
    const { call, path, session } = await openSession();
    const { json: file } = await upload(call, PNG, { query: `?session_id=${session.id}` });
    const token = await mintToken(path, call, { verbs: ["read"] });
    const linkBy = async (maker: Call) => {
      const made = await ask<FileLink>("POST", `/v1/files/${file.id}/links`, {
        ...maker,
        json: {},
      });
      return made.json.url.replace("https://api.test", "");
    };
    const links = [
      await linkBy({ key: token.token }),
      await linkBy(await mintCall(path, call, { verbs: ["read"] })),
      await linkBy(call),
    ];
    const read = async () =>
      Promise.all(links.map(async (link) => (await ask("GET", link)).status));
    const before = await read();

    await ask("DELETE", `${path}/tokens/${token.id}`, call);

    expect([before, await read()]).toEqual([
      [200, 200, 200],
      [401, 200, 200],
    ]);
  });
});

test("a repeated upload with an Idempotency-Key is one file; another one under the key is refused", async () => {
  const { id, call } = await makeTenant();
  const keyed = { ...call, headers: { "Idempotency-Key": "photo-1" } };

  const first = await upload(keyed, PNG, { type: "image/png" });
  const again = await upload(keyed, PNG, { type: "image/png" });
  const other = await upload(keyed, JPEG, { type: "image/jpeg" });

  expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
  expect(again.json).toEqual(first.json);
  expect(await listKeys(id)).toHaveLength(1);
});

test("a deleted file is gone at once, with its bytes and its room", async () => {
  const { id, call } = await makeTenant();
  const { json: file } = await upload(call, PNG);

  const { status } = await ask("DELETE", `/v1/files/${file.id}`, call);

  expect(status).toBe(204);
  expect((await ask("GET", `/v1/files/${file.id}`, call)).status).toBe(404);
  expect((await ask("DELETE", `/v1/files/${file.id}`, call)).status).toBe(404);
  await expect.poll(() => listKeys(id)).toEqual([]);
  await expect.poll(async () => (await readLimits(call)).used.stored_bytes).toBe(0);
  const found = await env.DB.prepare(
    "SELECT action, target_id FROM audit_entries WHERE tenant_id = ? AND action LIKE 'file%'",
  )
    .bind(id)
    .all();
  expect(found.results).toEqual([{ action: "file.deleted", target_id: file.id }]);
});

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      controller.enqueue(bytes.slice(sent, (sent += 70_001)));
      if (sent >= bytes.byteLength) controller.close();
    },
  } as never);
}
