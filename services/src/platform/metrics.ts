import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is asked when somebody reads the metrics: the state of things, as opposed to what was counted. */
export type MetricSources = {
  /** Position of the read model; NaN while there is none. */
  position(): number;
  /** Position of the log's head as far as this process knows it. */
  head(): number;
  parkedStreams(): number;
  ready(): boolean;
  liveConnections(): number;
};

export type Metrics = {
  /** A request that went through the whole pipeline. `endpoint` is a name of the contracts, or `unknown`, `page`, `asset`, `media`. */
  countRequest(endpoint: string, status: number, milliseconds: number): void;
  /** A read that was answered from ready bytes: some nanoseconds, so it is only counted. */
  countHotRead(endpoint: string, status: 200 | 304): void;
  /** The text that Prometheus reads. */
  text(): Promise<string>;
  readonly contentType: string;
  close(): void;
};

/** A number that is asked for when somebody reads the metrics; NaN where there is nothing to tell. */
export type GaugeSource = { readonly name: string; readonly help: string; readonly value: () => number };

/** Numbers that stand side by side under one name, told apart by labels. Few of them: each is a series of its own. */
export type GaugeFamily = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: () => Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]>;
};

const kept = <T>(map: Map<string, T>, key: string, make: () => T): T => {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = make()));
  return found;
};

/**
 * The metrics of one server (its own registry: tests start several in one process). `sources` is set once everything stands.
 * @param more gauges of other parts, `families` those with labels
 */
export const createMetrics = (sources: MetricSources, more: readonly GaugeSource[] = [], families: readonly GaugeFamily[] = []): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const hotReads = new Map<string, { ok: number; notModified: number }>();
  const requests = new Counter({
    name: 'courtledger_requests_total',
    help: 'Requests by endpoint and status',
    labelNames: ['endpoint', 'status'],
    registers,
    collect() {
      for (const [endpoint, counted] of hotReads) {
        if (counted.ok > 0) this.inc({ endpoint, status: 200 }, counted.ok);
        if (counted.notModified > 0) this.inc({ endpoint, status: 304 }, counted.notModified);
      }
      hotReads.clear();
    },
  });
  const durations = new Histogram({
    name: 'courtledger_request_seconds',
    help: 'Time to answer, without reads from ready bytes',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const refusals = new Counter({ name: 'courtledger_refusals_total', help: 'Requests that were refused (401, 403, 429)', labelNames: ['status'], registers });
  const gauge = (name: string, help: string, value: () => number): void => {
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  gauge('courtledger_read_model_position', 'Position in the log that the read model has reached', () => sources.position());
  gauge('courtledger_log_head_position', 'Position of the last event of the log', () => sources.head());
  gauge('courtledger_read_model_lag', 'How far the read model is behind the log, in positions', () => Math.max(0, sources.head() - sources.position()));
  gauge('courtledger_parked_streams', 'Streams that a projection could not read; they wait for a fix', () => sources.parkedStreams());
  gauge('courtledger_ready', 'As /readyz: 1 when reads are answered and writes taken', () => (sources.ready() ? 1 : 0));
  gauge('courtledger_live_connections', 'Open connections of followers', () => sources.liveConnections());
  for (const { name, help, value } of more) gauge(name, help, value);
  for (const { name, help, labels, values } of families) {
    void new Gauge({
      name,
      help,
      registers,
      labelNames: [...labels],
      async collect() {
        const found = await values();
        this.reset();
        for (const one of found) this.set(one.labels, one.value);
      },
    });
  }

  /** What stands for one endpoint: found by its labels once, not at every request. */
  const counters = new Map<string, ReturnType<typeof requests.labels>>();
  const observers = new Map<string, ReturnType<typeof durations.labels>>();
  return {
    countRequest(endpoint, status, milliseconds) {
      kept(counters, `${endpoint} ${status}`, () => requests.labels({ endpoint, status })).inc();
      kept(observers, endpoint, () => durations.labels({ endpoint })).observe(milliseconds / 1000);
      if (status === 401 || status === 403 || status === 429) refusals.inc({ status });
    },
    countHotRead(endpoint, status) {
      const counted = kept(hotReads, endpoint, () => ({ ok: 0, notModified: 0 }));
      if (status === 200) counted.ok += 1;
      else counted.notModified += 1;
    },
    text: async () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  };
};
