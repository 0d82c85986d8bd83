// Files: upload, list, read, delete, and links to their content.
import {
  FileLinkCreateSchema,
  FileListQuerySchema,
  FileUploadQuerySchema,
  type FileLink,
  type StoredFile,
} from "../../protocol/files/contract.ts";
import { fileAddress } from "../../protocol/file-address.ts";
import { isId } from "../../protocol/ids.ts";
import { eraseFiles } from "../../storage/files/erase-files.ts";
import type { FileRecord } from "../../storage/files/file-storage.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, signToken } from "../../storage/secrets/signed-token.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditAlone, auditFor } from "../audit/audit.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { receiveFile } from "./receive-file.ts";
import { serveFile } from "./serve-file.ts";
import { fieldError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { nowTimestamp } from "../new-id.ts";
import { cutIdOf, keyEndMs, tenantOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { sessionStub } from "../objects/session-stub.ts";

const uploadFile: RouteHandler = async (context) => {
  const { filename, session_id } = readQuery(context, FileUploadQuerySchema);
  const session = sessionFor(context, session_id) ?? null;
  const file = await receiveFile(context, {
    name: filename,
    session_id: session,
    keep: (record) =>
      answerStatement(context, {
        status: 201,
        location: `/v1/files/${record.id}`,
        body: shown(context, record),
      }),
  });
  return context.json(shown(context, file), 201, { Location: `/v1/files/${file.id}` });
};

const listFiles: RouteHandler = async (context) => {
  const { session_id, ...page } = readQuery(context, FileListQuerySchema);
  const session = sessionFor(context, session_id);
  const { data, ...rest } = await filesOf(context).list(toListRequest("fil", page), session);
  return context.json({ data: data.map((file) => shown(context, file)), ...rest });
};

const readFile: RouteHandler = async (context) =>
  context.json(shown(context, await findFile(context)));

const readFileContent: RouteHandler = async (context) =>
  serveFile(context, tenantOf(context), await findFile(context));

/** The row is hidden first, so that the file is gone at once; the sweep does what this request does not finish. */
const deleteFile: RouteHandler = async (context) => {
  const file = await findFile(context);
  const audit = auditFor(context, {
    action: "file.deleted",
    target: file.id,
    before: shown(context, file),
  });
  if (!(await filesOf(context).remove(file.id, nowTimestamp(), audit))) throw notFound("file");
  const erased = eraseFiles(context.env, [{ id: file.id, tenant_id: tenantOf(context) }]);
  inBackground("file deletion: erase the object", erased);
  return context.body(null, 204);
};

/** A link allows no more than its maker may do: one of a client token is for the token's session, and ends with it. */
const createFileLink: RouteHandler = async (context) => {
  const { ttl_seconds } = await readBody(context, FileLinkCreateSchema);
  const file = await findFile(context);
  const principal = context.get("principal");
  const wantedMs = Date.now() + ttl_seconds * 1_000;
  const isToken = principal.kind === "client_token";
  const keyId = isToken
    ? principal.claims.key_id
    : principal.kind === "tenant"
      ? cutIdOf(principal)
      : undefined;
  const makersEndMs = isToken ? principal.claims.exp : keyEndMs(principal);
  const exp = Math.min(wantedMs, makersEndMs);
  // A client token's links are as many as an app shows pictures, and end with the token.
  if (principal.kind === "tenant") {
    const after = { expires_at: new Date(exp).toISOString() };
    await auditAlone(context, { action: "file.link_created", target: file.id, after });
  }
  const token = await signToken(
    "file_link",
    {
      tenant_id: tenantOf(context),
      file_id: file.id,
      ...(isToken && { session_id: principal.sessionId, token_id: principal.tokenId }),
      ...(keyId !== undefined && { key_id: keyId }),
      exp,
    },
    keyPepperOf(context.env).current,
  );
  const link: FileLink = {
    url: `${publicOrigin(context)}/v1/file-links/${token}`,
    expires_at: new Date(exp).toISOString(),
  };
  return context.json(link, 201);
};

const readFileLink: RouteHandler = async (context) => {
  const token = pathId(context, "link_token");
  const opened = await openToken("file_link", token, keyPepperOf(context.env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(
      opened.reason === "expired"
        ? "the link has expired; ask for a new one with POST /v1/files/{file_id}/links"
        : "the link is mistyped, cut off or was changed: its signature does not fit",
    );
  }
  const { tenant_id, file_id, session_id, token_id, key_id } = opened.claims;
  const admission = await admitTenant(context.env, tenant_id, key_id);
  const handedOut = { kind: "file link", id: `${tenant_id} ${file_id}` } as const;
  await limitApp(context, tenant_id, handedOut, admission?.quotas.requests);
  const file = await tenantStorage(context.env.DB, tenant_id).files.read(file_id, session_id);
  if (!file) throw notFound("file");
  if (session_id !== undefined && token_id !== undefined) {
    const isAdmitted = await sessionStub(context.env, tenant_id, session_id).admitsToken(token_id);
    if (!isAdmitted) throw unauthenticated("the client token that made the link was revoked");
  }
  return serveFile(context, tenant_id, file);
};

/**
 * The session that a request is limited to: the client token's, or the one that it names.
 * @throws HttpError 404 for another session than the token's, and for a malformed id.
 */
function sessionFor(context: AppContext, named: string | undefined): string | undefined {
  const principal = context.get("principal");
  const own = principal.kind === "client_token" ? principal.sessionId : undefined;
  const isForeign = named !== undefined && own !== undefined && named !== own;
  if (isForeign || (named !== undefined && !isId("ses", named))) {
    throw fieldError("not_found", "#/query/session_id", "there is no such session");
  }
  return named ?? own;
}

/** @throws HttpError 404 also for a file that the client token's session does not name. */
async function findFile(context: AppContext): Promise<FileRecord> {
  const session = sessionFor(context, undefined);
  const file = await filesOf(context).read(pathId(context, "file_id"), session);
  if (!file) throw notFound("file");
  return file;
}

function shown(context: AppContext, { etag: _, ...file }: FileRecord): StoredFile {
  return { ...file, url: fileAddress(publicOrigin(context), file.id) };
}

function filesOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).files;
}

export const fileRoutes = {
  uploadFile,
  listFiles,
  readFile,
  readFileContent,
  deleteFile,
  createFileLink,
  readFileLink,
};
