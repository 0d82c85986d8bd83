// A stand-in for R2: the bucket of Cloudflare's local tools, which `npm start` has, in an object behind R2 bindings.
import { R2BucketObject } from "miniflare:bucket";

interface FilesEnv {
  readonly BUCKET: DurableObjectNamespace;
}

export { R2BucketObject };

export default {
  async fetch(request, env): Promise<Response> {
    const name = "files";
    // The object learns its name from each request.
    const cf = { miniflare: { name } };
    return env.BUCKET.get(env.BUCKET.idFromName(name)).fetch(request, { cf });
  },
} satisfies ExportedHandler<FilesEnv>;
