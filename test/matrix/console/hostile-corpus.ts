// Text that would run, load or mislead if a page took it for more than text.
/** A script whose run would be seen: it opens a dialog. */
export const RUN = "alert(document.domain)";
/** Each tries to be more than text in another way. */
export const CORPUS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg/onload=${RUN}>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<iframe srcdoc="<script>${RUN}</script>">`,
  `<a href="javascript:${RUN}">go</a>`,
  `<form action="javascript:${RUN}"><button>go</button></form>`,
  `<details open ontoggle=${RUN}>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `\${${RUN}}{{${RUN}}}`,
  `[a link](javascript:${RUN})`,
  `[a link](JaVaScRiPt:${RUN})`,
  `[a link](java\tscript:${RUN})`,
  `[a link](data:text/html,<script>${RUN}</script>)`,
  `[a link](vbscript:${RUN})`,
  `[a link](//evil.example/%0a${RUN})`,
  `![a picture](https://evil.example/pixel.png?${RUN})`,
  `![a picture](x" onerror="${RUN})`,
  `<javascript:${RUN}>`,
  `[a]: javascript:${RUN}\n\n[a]`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [b](javascript:${RUN}) |`,
  `<style>*{background:url(https://evil.example/)}</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `${">".repeat(200)} ${"- ".repeat(200)}deep`,
  `\u202Egnp.exe`,
];
export const WHOLE = CORPUS.join("\n\n");
