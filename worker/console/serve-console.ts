// The console's static files: hashed names below `/console/assets/`, and one page for every other path.
import type { RouteHandler } from "../app-env.ts";
import { HttpError } from "../http-error.ts";

/** The page, as the binding of the assets finds it. */
const PAGE = "/console/";
/** Names of files contain a hash of their content. */
const HASHED = "/console/assets/";
const EXTENSION = /\.[a-z0-9]{1,8}$/i;

/**
 * A path that ends in an extension is a file, any other one a place of the app, whose page then reads the
 * address. So a missing file is 404, and deep links work.
 */
export const serveConsole: RouteHandler = async (context) => {
  const { path } = context.req;
  const isFile = EXTENSION.test(path);
  const url = new URL(isFile ? path : PAGE, context.req.url);
  const known = context.req.header("If-None-Match");
  const answer = await context.env.ASSETS?.fetch(
    new Request(url, { headers: known === undefined ? {} : { "If-None-Match": known } }),
  );
  const isFound = answer?.ok === true || answer?.status === 304;
  if (!isFound) {
    await answer?.body?.cancel();
    const detail = isFile
      ? "the console has no such file"
      : "the console is not built; run `npm run build`";
    throw new HttpError("not_found", detail);
  }
  const headers = new Headers(answer.headers);
  const isKept = path.startsWith(HASHED);
  headers.set("Cache-Control", isKept ? "public, max-age=31536000, immutable" : "no-cache");
  return new Response(answer.body, { status: answer.status, headers });
};
