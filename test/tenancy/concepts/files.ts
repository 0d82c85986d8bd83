// Files.
import type { FileLink, StoredFile } from "../../../protocol/files/contract.ts";
import { makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows, Place } from "../row.ts";

const session: Place = {
  where: "query session_id",
  id: ({ ids }) => ids.session_id,
  query: (id) => `session_id=${id}`,
  refused: 404,
};

export const ROWS = {
  /** The body is the JSON's text: any bytes are a file. */
  uploadFile: {
    answers: 201,
    body: ({ word }) => ({ word }),
    query: ({ word }) => `filename=${word}`,
    places: [session],
    shows: [],
    stores: ["+bucket", "+files"],
    refusedBy: ["stored_bytes"],
  },
  listFiles: {
    answers: 200,
    places: [{ ...session, refused: 200, unlike: [404] }, pageToken(`fil_${NEWEST}`)],
    shows: ["file"],
  },
  readFile: { answers: 200, shows: ["file"] },
  readFileContent: { answers: 200, shows: ["file"] },
  deleteFile: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-bucket", "-file_references", "-files"],
  },
  createFileLink: {
    answers: 201,
    isSilent: true,
    body: () => ({}),
    shows: [],
    stores: ["+audit_entries"],
    refusedBy: ["database_bytes"],
  },
  /** A signed address needs no key. */
  readFileLink: { answers: 200, shows: ["file"] },
} satisfies ConceptRows;

export const KEYED = {
  /** Any JSON is a file of text. */
  async uploadFile() {
    const { call } = await makeTenant();
    return {
      path: "/v1/files",
      call,
      json: { note: "buy shoes" },
      other: "?filename=other",
      count: () => countListed("/v1/files", call),
    };
  },
} satisfies KeyedRequests;

const MISSING = "0".repeat(26);

export async function askAll(api: DocumentedApi): Promise<void> {
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
