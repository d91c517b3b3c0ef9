import { getDocs, getOpenApi } from '@courtledger/contracts/kernel/docs.api';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { errorCodes } from '@courtledger/contracts/kernel/errors';
import { openApiDocument } from '@courtledger/contracts/kernel/openapi';
import type { Bound } from './call.ts';
import { bindRead } from './endpoint.ts';
import { htmlText } from './html-text.ts';
import { problems } from './problem.ts';

const access: Readonly<Record<Endpoint['access'], string>> = {
  public: 'Everybody',
  registrant: 'The registrant of the team, or an admin',
  admin: 'Admins',
  superadmin: 'The super admin',
};
const bodies: Readonly<Record<Endpoint['bodyKind'], string>> = {
  none: 'none',
  json: 'JSON',
  multipart: 'multipart form',
  'json-or-multipart': 'JSON or multipart form',
};

type Operation = { readonly parameters?: readonly unknown[]; readonly requestBody?: unknown; readonly responses?: unknown };

const section = (endpoint: Endpoint, operation: Operation): string => `
<section id="${htmlText(endpoint.name)}">
<h3><code>${endpoint.method} /api${htmlText(endpoint.path)}</code></h3>
<p>${htmlText(endpoint.summary)}</p>
<p><b>${htmlText(endpoint.name)}</b> · ${access[endpoint.access]} · body: ${bodies[endpoint.bodyKind]} · answers ${endpoint.status}</p>
<details><summary>Schema</summary><pre>${htmlText(JSON.stringify({ parameters: operation.parameters, requestBody: operation.requestBody, responses: operation.responses }, null, 2))}</pre></details>
</section>`;

/** The document as a page: no script, so it needs none to be allowed. */
const docsPage = (endpoints: readonly Endpoint[], document: ReturnType<typeof openApiDocument>): string => {
  const features = Map.groupBy(endpoints, (endpoint) => endpoint.path.split('/')[1] ?? '');
  const operationOf = (endpoint: Endpoint): Operation => document.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()] ?? {};
  const body = [...features]
    .map(([feature, ones]) => `<h2>${htmlText(feature)}</h2>${ones.map((endpoint) => section(endpoint, operationOf(endpoint))).join('')}`)
    .join('\n');
  const errors = errorCodes
    .map((code) => `<tr id="problem-${code}"><td><code>${code}</code></td><td>${problems[code].status}</td><td>${htmlText(problems[code].title)}</td></tr>`)
    .join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>CourtLedger API</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}h2{border-bottom:2px solid #c2410c;text-transform:capitalize}h3{margin-bottom:.2rem}pre{overflow:auto;background:#f4f4f5;padding:1rem;font-size:.8rem}td,th{text-align:left;padding:.2rem 1rem .2rem 0}section p{margin:.2rem 0}</style></head>
<body><h1>CourtLedger API</h1><p>Generated from the contracts. The same for machines: <a href="/api/openapi.json">/api/openapi.json</a></p>
${body}
<h2 id="problems">Errors</h2><p>Every failure is <code>application/problem+json</code>; <code>message</code> is the text for people, <code>instance</code> the id of the request.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Title</th></tr></thead><tbody>
${errors}
</tbody></table></body></html>
`;
};

/** The two endpoints that describe all others, themselves included. Made on first use. */
export const bindDocs = (endpoints: readonly Endpoint[], version: string): readonly Bound[] => {
  let made: { readonly json: string; readonly page: Buffer } | undefined;
  const make = (): { readonly json: string; readonly page: Buffer } => {
    if (made !== undefined) return made;
    const document = openApiDocument(endpoints, version);
    made = { json: JSON.stringify(document), page: Buffer.from(docsPage(endpoints, document)) };
    return made;
  };
  return [bindRead(getOpenApi, () => ({ json: make().json })), bindRead(getDocs, () => ({ bytes: make().page, contentType: 'text/html; charset=utf-8' }))];
};
