import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { useEffect, type ReactElement } from 'react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { vi } from 'vitest';
import { AppRoutes } from '../app/router.tsx';

type Answer = {
  readonly status?: number;
  readonly body?: unknown;
  /** Instead of a body: the bytes as they are. */
  readonly file?: Blob;
  /** Never answered. */
  readonly pending?: boolean;
  /** The connection breaks. */
  readonly lost?: boolean;
  /** Answered once this settles. */
  readonly after?: Promise<unknown>;
};

/** A command as it was sent: a multipart body by part, a file as its name. */
type Sent = {
  readonly call: string;
  readonly body: unknown;
  readonly headers: Headers;
  /** Sent to its end though the page is closed. */
  readonly keepalive: boolean;
};

const readBody = (body: RequestInit['body']): unknown => {
  if (body instanceof FormData)
    return Object.fromEntries(Array.from(body.entries(), ([part, value]) => [part, typeof value === 'string' ? value : value.name]));
  return typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined;
};

/** Answers of the API by path below `/api` (`POST /path` for a command); anything else is 404. The live connection stays open and silent. */
export const answerWith = (answers: Readonly<Record<string, Answer>>): { readonly asked: string[]; readonly sent: Sent[] } => {
  const asked: string[] = [];
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const path = input.replace(/^\/api/, '').replace(/(.)\/$/, '$1');
    const call = `${init?.method ?? 'GET'} ${path}`;
    asked.push(call);
    if (!call.startsWith('GET ')) sent.push({ call, body: readBody(init?.body), headers: new Headers(init?.headers), keepalive: init?.keepalive ?? false });
    const answer = answers[call] ?? answers[path];
    if (path === '/live' || answer?.pending) return new Promise<Response>(() => {});
    if (answer?.after) await answer.after;
    if (answer?.lost) throw new TypeError('Failed to fetch');
    const status = answer ? (answer.status ?? 200) : 404;
    if (answer?.file) return new Response(answer.file, { status, headers: { 'Content-Type': answer.file.type } });
    return new Response(JSON.stringify(answer?.body ?? { message: 'Not found' }), {
      status,
      headers: { 'Content-Type': 'application/json', 'X-Read-Position': '7' },
    });
  });
  return { asked, sent };
};

let back = (): void => {
  throw new Error('No site is open');
};

const Address = (): ReactElement => {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    back = () => void navigate(-1);
  }, [navigate]);
  return <i data-address={`${pathname}${search}`} />;
};

/** Where the site is now: path and query. */
export const currentAddress = (): string => document.querySelector('[data-address]')?.getAttribute('data-address') ?? '';

/** The browser's Back. */
export const goBack = (): void => {
  act(() => {
    back();
  });
};

/** The whole site, opened at an address. `client` holds what the site has read. @param before where Back leads from there */
export const renderSite = (path: string, before?: string): { readonly user: UserEvent; readonly container: HTMLElement; readonly client: QueryClient } => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={before === undefined ? [path] : [before, path]}>
        <AppRoutes />
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), container, client };
};
