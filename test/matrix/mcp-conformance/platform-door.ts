// The door of the platform for the program that the conformance suite starts: plain HTTP, and all of it printed, for a
// scenario that fails shows what its client has printed.
const { REPRISE_BASE_URL: baseUrl = "", REPRISE_API_KEY: key = "" } = process.env;

/** @param path Behind `/v1`. @throws For a status of 400 and more. */
export async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${baseUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  process.stdout.write(`${method} ${path}: ${response.status} ${text}\n`);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return JSON.parse(text) as Body;
}
