// A client's secret at a token endpoint: HTTP Basic (RFC 6749, section 2.3.1).
import type { ClientAuth } from "oauth4webapi";

/**
 * As the library's own, which also escapes `-`, `_`, `.` and `*`: servers that compare without decoding know no client
 * of such a name. `application/x-www-form-urlencoded` leaves these as they are, and decodes to the same in any case.
 */
export function clientSecretBasic(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${encoded(client_id)}:${encoded(secret)}`)}`);
  };
}

function encoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice("text=".length);
}
