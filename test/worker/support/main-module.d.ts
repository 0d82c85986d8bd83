// Lets `exports.default` of cloudflare:workers know the Worker's entry.
import type * as entry from "../../../worker/index.ts";

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof entry;
    }
  }
}
