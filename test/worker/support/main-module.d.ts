// Lets `exports.default` of cloudflare:workers know the Worker's entry.
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../../../worker/index.ts");
  }
}
