// The bindings of wrangler.toml and the secrets, for `env` and `cloudflare:workers`.
import type { SessionObject } from "../durable-objects/session-object.ts";
import type { TenantObject } from "../durable-objects/tenant-object.ts";
import type { RemovalJob, TenantRemovalJob, WalkJob } from "../storage/sessions/queue-job.ts";
import type { WebhookJob } from "../storage/webhooks/webhook-job.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly SESSION: DurableObjectNamespace<SessionObject>;
      readonly TENANT: DurableObjectNamespace<TenantObject>;
      readonly DB: D1Database;
      /** Attempts to deliver outgoing webhooks, and the further steps of a walk. */
      readonly WEBHOOK_QUEUE: Queue<WebhookJob | WalkJob>;
      /** Deletions that may have been cut off. */
      readonly REMOVAL_QUEUE: Queue<RemovalJob | TenantRemovalJob>;
      /** `local` allows http:// to loopback; anything else does not. */
      readonly ENVIRONMENT: string;
      /** `https://host` by which clients know the platform. In `local` the request's own when left out. */
      readonly PUBLIC_URL?: string;
      /** In `local`, the only ports of this machine that tenants may reach, such as `8080,8081`; all when left out. */
      readonly LOOPBACK_PORTS?: string;
      // Of each secret two more values may be accepted while it is rotated: see storage/secrets/deployment-secrets.ts.
      readonly OPERATOR_KEY: string;
      readonly OPERATOR_KEY_PREVIOUS?: string;
      readonly OPERATOR_KEY_NEXT?: string;
      readonly KEY_PEPPER: string;
      readonly KEY_PEPPER_PREVIOUS?: string;
      readonly KEY_PEPPER_NEXT?: string;
      /** 32 bytes in base64: wraps the keys of the tenants, which seal their credentials. */
      readonly MASTER_KEY: string;
      readonly MASTER_KEY_PREVIOUS?: string;
      readonly MASTER_KEY_NEXT?: string;
      /** What named threads' sessions are found by. It is never rotated: the first KEY_PEPPER, when left out. */
      readonly THREAD_KEY?: string;
      /** Days for which entries of the audit are kept; a year when left out. */
      readonly AUDIT_KEPT_DAYS?: string;
      /** Brakes; a platform that has none goes on without them. */
      readonly TENANT_LIMIT?: RateLimit;
      readonly TENANT_LIMIT_1000?: RateLimit;
      readonly TENANT_LIMIT_100?: RateLimit;
      readonly TOKEN_LIMIT?: RateLimit;
      readonly ADDRESS_LIMIT?: RateLimit;
    }
  }
  type Env = Cloudflare.Env;
}
