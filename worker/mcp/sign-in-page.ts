// The page that ends a sign-in: it shows the code with which the app continues, and posts it to the page that has
// opened it, where that page's origin is allowed.

export interface SignInPage {
  readonly title: string;
  readonly text: string;
  /** Null for a page that only says something. */
  readonly handover: {
    readonly connection_id: string;
    readonly code: string;
    /** Origins of pages that may have it. */
    readonly origins: readonly string[];
  } | null;
}

export function signInPage({ title, text, handover }: SignInPage, status = 200): Response {
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const code = handover ? `<p><code>${escape(handover.code)}</code></p>` : "";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style nonce="${nonce}">body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}code{font-size:1rem;overflow-wrap:anywhere;user-select:all}</style>
</head><body><main><h1>${escape(title)}</h1><p>${escape(text)}</p>${code}</main>${script(handover, nonce)}</body></html>
`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** A browser delivers the message only to a page of that origin. */
function script(handover: SignInPage["handover"], nonce: string): string {
  if (!handover || handover.origins.length === 0) return "";
  const { connection_id, code, origins } = handover;
  const message = { type: "reprise.sign_in", connection_id, code };
  const [said, to] = [message, origins].map((value) =>
    JSON.stringify(value).replaceAll("<", "\\u003c"),
  );
  return `<script nonce="${nonce}">for (const origin of ${to}) if (window.opener) window.opener.postMessage(${said}, origin);</script>`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
