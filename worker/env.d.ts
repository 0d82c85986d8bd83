// The bindings of wrangler.toml and the secrets, for `env` and `cloudflare:workers`.
import type { MemoryObject } from "../durable-objects/memory/memory-object.ts";
import type { RoomObject } from "../durable-objects/rooms/room-object.ts";
import type { SearchObject } from "../durable-objects/search/search-object.ts";
import type { SessionObject } from "../durable-objects/session-object.ts";
import type { TenantObject } from "../durable-objects/tenant-object.ts";
import type { TriggerObject } from "../durable-objects/triggers/trigger-object.ts";
import type { A2aPushJob } from "../storage/a2a/push-job.ts";
import type {
  EndUserRemovalJob,
  RemovalJob,
  TenantRemovalJob,
  SweepJob,
} from "../storage/sessions/queue-job.ts";
import type { WebhookJob } from "../storage/webhooks/webhook-job.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly SESSION: DurableObjectNamespace<SessionObject>;
      readonly TENANT: DurableObjectNamespace<TenantObject>;
      readonly SEARCH: DurableObjectNamespace<SearchObject>;
      readonly MEMORY: DurableObjectNamespace<MemoryObject>;
      readonly TRIGGER: DurableObjectNamespace<TriggerObject>;
      readonly ROOM: DurableObjectNamespace<RoomObject>;
      readonly DB: D1Database;
      /** The bytes of files, under `tenant/<id>/file/<id>`. */
      readonly FILES: R2Bucket;
      /** The console's built files; missing where it was not built. */
      readonly ASSETS?: Fetcher;
      /** Webhook delivery jobs, and further steps of the cron sweep. */
      readonly WEBHOOK_QUEUE: Queue<WebhookJob | A2aPushJob | SweepJob>;
      /** Deletion jobs, which complete interrupted deletions. */
      readonly REMOVAL_QUEUE: Queue<RemovalJob | TenantRemovalJob | EndUserRemovalJob>;
      /** `local` allows http:// to loopback; anything else does not. */
      readonly ENVIRONMENT: string;
      /** The platform's public URL, `https://host`. Defaults to the request's own in `local`. */
      readonly PUBLIC_URL?: string;
      /** In `local`, the loopback ports that tenants' URLs may use, such as `8080,8081`; all when left out. */
      readonly LOOPBACK_PORTS?: string;
      /** Host names that requests may go to although the public Internet has none of them, such as `corp,vault.internal`. */
      readonly ALLOWED_SPECIAL_NAMES?: string;
      // During a rotation two more values of each secret are accepted: see storage/secrets/deployment-secrets.ts.
      readonly OPERATOR_KEY: string;
      readonly OPERATOR_KEY_PREVIOUS?: string;
      readonly OPERATOR_KEY_NEXT?: string;
      readonly KEY_PEPPER: string;
      readonly KEY_PEPPER_PREVIOUS?: string;
      readonly KEY_PEPPER_NEXT?: string;
      /** 32 bytes in base64: encrypts the tenants' data keys, which encrypt their credentials. */
      readonly MASTER_KEY: string;
      readonly MASTER_KEY_PREVIOUS?: string;
      readonly MASTER_KEY_NEXT?: string;
      /** 32 bytes in base64: the private key that signs the cards of agents for A2A. Without it they have no signature. */
      readonly CARD_KEY?: string;
      readonly CARD_KEY_PREVIOUS?: string;
      readonly CARD_KEY_NEXT?: string;
      /** Key for deriving session ids from thread names. Never rotated. Defaults to the first KEY_PEPPER. */
      readonly THREAD_KEY?: string;
      /** Retention of the audit log in days; a year when left out. */
      readonly AUDIT_KEPT_DAYS?: string;
      /** Rate limiting bindings; optional, requests are not limited without them. */
      readonly TENANT_LIMIT?: RateLimit;
      readonly TENANT_LIMIT_1000?: RateLimit;
      readonly TENANT_LIMIT_100?: RateLimit;
      readonly TOKEN_LIMIT?: RateLimit;
      readonly ADDRESS_LIMIT?: RateLimit;
    }
  }
  type Env = Cloudflare.Env;
}
