// Asks every route of files for what the document promises of it.
import type { FileLink, StoredFile } from "../../../protocol/files/contract.ts";
import { makeTenant } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";
import { changeTenant } from "./tenant-use.ts";

const MISSING = "0".repeat(26);

/** Everything that these routes promise, but for what a failing platform alone can show. */
export async function askFiles(api: DocumentedApi): Promise<void> {
  const { id, call } = await makeTenant();
  const uploaded = await api.ask<StoredFile>("uploadFile", {}, { ...call, body: "a note" });
  const elsewhere = { query: `?session_id=ses_${MISSING}` };
  await api.ask("uploadFile", elsewhere, { ...call, body: "a note" });
  const form = { "Content-Type": "multipart/form-data; boundary=x" };
  await api.ask("uploadFile", {}, { ...call, body: "a note", headers: form });
  await api.ask("listFiles", {}, call);
  await api.ask("listFiles", { query: "?session_id=none" }, call);

  const place = { file_id: uploaded.json.id };
  await api.ask("readFile", place, call);
  const link = await api.ask<FileLink>("createFileLink", place, { ...call, json: {} });
  const token = link.json.url.slice(link.json.url.lastIndexOf("/") + 1);
  const reads = [
    ["readFileContent", place, call],
    ["readFileLink", { link_token: token }, {}],
  ] as const;
  for (const [name, where, reader] of reads) {
    const whole = await api.ask(name, where, reader);
    const etag = whole.headers.get("ETag") ?? "";
    const wishes: readonly Record<string, string>[] = [
      { Range: "bytes=0-1" },
      { Range: "bytes=9000-" },
      { "If-None-Match": etag },
    ];
    for (const headers of wishes) await api.ask(name, where, { ...reader, headers });
  }
  await api.ask("readFileLink", { link_token: `${token}x` });
  await api.ask("deleteFile", place, call);
  await api.ask("readFileLink", { link_token: token });
  await changeTenant(id, { quotas: { stored_bytes: 1 } });
  await api.ask("uploadFile", {}, { ...call, body: "a note" });
}
