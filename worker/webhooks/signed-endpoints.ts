// Handlers that inbound and webhook endpoints share: each endpoint has a secret of its own, which only the answers to its
// creation and rotation contain.
import type { IdPrefix } from "../../protocol/ids.ts";
import type { SignedEndpointStorage } from "../../storage/webhooks/signed-endpoint-storage.ts";
import { makeWebhookSecret } from "../../webhooks/webhook-signature.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { sealForTenant } from "../auth/seal-for-tenant.ts";
import { notFound } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readListQuery } from "../requests/read-query.ts";

interface SignedEndpoint {
  readonly id: string;
  /** Expiry of the secret before the last rotation; null when there is none. */
  readonly old_secret_expires_at: string | null;
  readonly updated_at?: string;
}

/** A kind of endpoint. */
interface SignedEndpointKind<Endpoint> {
  readonly name: "inbound_endpoint" | "webhook_endpoint";
  readonly idPrefix: IdPrefix;
  /** The path of the list. */
  readonly path: string;
  /** The endpoint's id in a request's path. */
  readonly idOf: (context: AppContext) => string;
  readonly storageOf: (context: AppContext) => SignedEndpointStorage<Endpoint>;
}

/** The handlers for a kind of endpoint. */
export function signedEndpoints<Endpoint extends SignedEndpoint>(
  kind: SignedEndpointKind<Endpoint>,
) {
  const { name, path, idOf, storageOf } = kind;
  const noun = name.replace("_", " ");

  async function read(context: AppContext): Promise<Endpoint> {
    const endpoint = await storageOf(context).read(idOf(context));
    if (!endpoint) throw notFound(noun);
    return endpoint;
  }

  return {
    noun,

    /** The endpoint of the path. @throws HttpError when there is none. */
    read,

    /**
     * Stores the endpoint with a new secret, which is in this answer alone.
     * @param more Members of the answer that are not stored.
     */
    async answerCreated(
      context: AppContext,
      endpoint: Endpoint,
      more: object = {},
    ): Promise<Response> {
      const secret = makeWebhookSecret();
      const location = `${path}/${endpoint.id}`;
      await storageOf(context).insert(
        endpoint,
        await sealForTenant(context, secret, endpoint.id),
        answerStatement(context, { status: 201, location, body: { ...endpoint, ...more } }),
        auditFor(context, { action: `${name}.created`, target: endpoint.id, after: endpoint }),
      );
      return context.json({ ...endpoint, ...more, secret }, 201, { Location: location });
    },

    /** Gives the endpoint of the path a new secret. @param overlapMs Milliseconds for which the old one stays valid. */
    async answerRotated(context: AppContext, overlapMs: number): Promise<Response> {
      const before = await read(context);
      const secret = makeWebhookSecret();
      const sealed = await sealForTenant(context, secret, before.id);
      const rotatedAt = nowTimestamp();
      const oldSecretExpiresAt = new Date(Date.parse(rotatedAt) + overlapMs).toISOString();
      const after = {
        ...before,
        ...(before.updated_at !== undefined && { updated_at: rotatedAt }),
        old_secret_expires_at: oldSecretExpiresAt,
      };
      const endpoint = await storageOf(context).rotate(
        before.id,
        { sealed, oldSecretExpiresAt, rotatedAt },
        answerStatement(context, { status: 200, body: after }),
        auditFor(context, { action: `${name}.secret_rotated`, target: before.id, before, after }),
      );
      if (!endpoint) throw notFound(noun);
      return context.json({ ...endpoint, secret });
    },

    answerList: (async (context) =>
      context.json(
        await storageOf(context).list(readListQuery(context, kind.idPrefix)),
      )) satisfies RouteHandler,

    answerRead: (async (context) => context.json(await read(context))) satisfies RouteHandler,

    answerDeleted: (async (context) => {
      const before = await read(context);
      const audit = auditFor(context, { action: `${name}.deleted`, target: before.id, before });
      if (!(await storageOf(context).remove(before.id, audit))) throw notFound(noun);
      return context.body(null, 204);
    }) satisfies RouteHandler,
  };
}
