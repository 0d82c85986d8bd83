// Asks an OpenAI-compatible endpoint for embeddings, behind the egress guard, with the tenant's credential as D1 has it now.
import * as z from "zod";

import { quantise } from "../../agent/memory/quantise.ts";
import { isHostAllowed, hostOf } from "../../outgoing/allowed-hosts.ts";
import { readBytes } from "../../outgoing/body.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { embeddingUrlOf, type EmbeddingDefinition } from "../../protocol/memory/contract.ts";
import {
  MAX_EMBEDDING_ANSWER_BYTES,
  MAX_EMBEDDING_DIMENSIONS,
} from "../../protocol/memory/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readSealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { openDatabase } from "../../storage/statements/database.ts";

export type Embedded =
  /** In the order of the texts; null for one without a direction. */
  | { readonly ok: true; readonly vectors: readonly (Int8Array | null)[] }
  /** A sentence without secrets. `isOfTexts`: the endpoint refuses these texts, such as one that is too long for its model. */
  | { readonly ok: false; readonly detail: string; readonly isOfTexts?: boolean };

/** Statuses with which endpoints refuse what they were sent. */
const REFUSED_TEXTS: readonly number[] = [400, 413, 422];

const AnswerSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().int().nonnegative().optional(),
      embedding: z.array(z.number()).min(1).max(MAX_EMBEDDING_DIMENSIONS),
    }),
  ),
});

interface EmbedRequest {
  readonly tenantId: string;
  readonly embedding: EmbeddingDefinition;
  readonly texts: readonly string[];
  readonly timeoutMs: number;
}

/** Contract: never rejects. */
export async function embedTexts(
  env: Env,
  { tenantId, embedding, texts, timeoutMs }: EmbedRequest,
): Promise<Embedded> {
  const host = hostOf(embeddingUrlOf(embedding));
  try {
    // One bound for the credential's reading and the request: a search promises its time.
    const signal = AbortSignal.timeout(timeoutMs);
    const secret = await withinDeadline(readSecret(env, tenantId, embedding), timeoutMs);
    if (typeof secret === "object" && secret !== null) return { ok: false, detail: secret.problem };
    const { name, dimensions } = embedding;
    const body = { model: name, input: texts, ...(dimensions !== undefined && { dimensions }) };
    const outgoing = createOutgoing({ ...egressRules(env), fetch: (...asked) => fetch(...asked) });
    const response = await outgoing(`${embeddingUrlOf(embedding).replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(secret !== null && { Authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({ ...body, encoding_format: "float" }),
      signal,
    });
    const answer = await readText(response);
    if (!response.ok) {
      return {
        ok: false,
        detail: `the endpoint for embeddings at ${host} answered ${response.status}`,
        isOfTexts: REFUSED_TEXTS.includes(response.status),
      };
    }
    return readVectors(answer, texts.length, host);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const what = isLate ? `took more than ${timeoutMs} ms` : "could not be asked";
    return { ok: false, detail: `the endpoint for embeddings at ${host} ${what}` };
  }
}

/** Null for an endpoint without a credential. */
async function readSecret(
  env: Env,
  tenantId: string,
  embedding: EmbeddingDefinition,
): Promise<string | null | { readonly problem: string }> {
  const { credential_id: id } = embedding;
  if (id === undefined) return null;
  const sealed = await readSealedCredentials(openDatabase(env.DB), tenantId, [id]);
  const opened = await openPinnedCredentials({ tenant_id: tenantId, ...sealed }, masterKeyOf(env));
  const credential = opened.get(id);
  if (!credential) return { problem: "the credential of the endpoint for embeddings was deleted" };
  if (isHostAllowed(embeddingUrlOf(embedding), credential.allowed_hosts)) return credential.secret;
  return { problem: "the credential of the endpoint for embeddings may not be sent to its host" };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of readBytes(response, { maxBytes: MAX_EMBEDDING_ANSWER_BYTES })) {
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function readVectors(answer: string, count: number, host: string): Embedded {
  const read = AnswerSchema.safeParse(JSON.parse(answer));
  const vectors: (Int8Array | null | undefined)[] = Array.from({ length: count });
  for (const [place, { index = place, embedding }] of (read.data?.data ?? []).entries()) {
    if (index < count) vectors[index] = quantise(embedding);
  }
  const isWhole = vectors.every((vector) => vector !== undefined);
  if (read.success && isWhole) return { ok: true, vectors: vectors as (Int8Array | null)[] };
  return {
    ok: false,
    detail: `the answer of the endpoint for embeddings at ${host} has no vector for each text`,
  };
}
