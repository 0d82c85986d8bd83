/** A file of Cloudflare's local tools, which has no types (`bench/runtime/local-bucket.ts`). */
declare module "miniflare:bucket" {
  export const R2BucketObject: new (state: DurableObjectState, env: unknown) => DurableObject;
}
