// Answers of authorization servers as the library wants them, which takes RFC 6749 and RFC 7591 by the letter: servers
// in use write what they do not have as null or as an empty text, and success with other statuses.
import { looseBodyOf } from "./loose-body.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The answer of a token endpoint. Nobody reads an ID token here, so a broken one breaks nothing. */
export async function plainTokenAnswer(response: Response): Promise<Response> {
  const body = await looseBodyOf(response);
  if (!body) return response;
  const { access_token, error } = body;
  // Some answer a refusal with 200.
  if (access_token === undefined && typeof error === "string") return written(response, body, 400);
  if (!response.ok) return written(response, body, response.status);
  const { id_token: _, expires_in, scope, token_type, ...more } = body;
  const lifeSeconds = Number(expires_in ?? Number.NaN);
  const scopes = Array.isArray(scope) ? scope.join(" ") : scope;
  const whole = {
    ...more,
    token_type: typeof token_type === "string" ? token_type.trim() : "Bearer",
    ...(lifeSeconds >= 0 && Number.isFinite(lifeSeconds) && { expires_in: lifeSeconds }),
    ...(typeof scopes === "string" && { scope: scopes }),
  };
  return written(response, whole, 200);
}

/** The answer of a registration: RFC 7591 demands the expiry of a secret, which many leave out. Zero is none. */
export async function plainRegistration(response: Response): Promise<Response> {
  const body = await looseBodyOf(response);
  if (!body) return response;
  if (!response.ok || body["client_id"] === undefined) {
    return written(response, body, response.ok ? 400 : response.status);
  }
  const expiry = Number(body["client_secret_expires_at"] ?? 0);
  const client_secret_expires_at = expiry >= 0 && Number.isFinite(expiry) ? expiry : 0;
  return written(response, { ...body, client_secret_expires_at }, 201);
}

function written({ headers: given }: Response, body: Fields, status: number): Response {
  const headers = new Headers({ "content-type": "application/json" });
  const challenge = given.get("www-authenticate");
  if (challenge !== null) headers.set("www-authenticate", challenge);
  return new Response(JSON.stringify(body), { status, headers });
}
