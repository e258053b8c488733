// Makes the metrics of the catalogue in a registry of prom-client, which is loaded only where metrics are served.
import type * as Prometheus from "prom-client";
import { catalogue, type Catalogue, type CounterSpec, type GaugeSpec, type MetricSpec } from "./catalogue.ts";

type InstrumentOf<Spec> =
  Spec extends CounterSpec<infer L>
    ? Prometheus.Counter<L>
    : Spec extends GaugeSpec<infer L>
      ? Prometheus.Gauge<L>
      : Spec extends { labels: readonly (infer L extends string)[] }
        ? Prometheus.Histogram<L>
        : never;

/** One for each entry of the catalogue, under the same key. */
export type Instruments = { readonly [K in keyof Catalogue]: InstrumentOf<Catalogue[K]> };

export interface MetricRegistry {
  instruments: Instruments;
  registry: Prometheus.Registry;
}

export async function createMetricRegistry(): Promise<MetricRegistry> {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const create = (spec: MetricSpec) => {
    const { name, help } = spec;
    const options = { name, help, labelNames: [...spec.labels], registers: [registry] };
    if (spec.type === "counter") return new prometheus.Counter(options);
    if (spec.type === "gauge") return new prometheus.Gauge(options);
    return new prometheus.Histogram({ ...options, buckets: [...spec.buckets] });
  };
  const created = Object.entries(catalogue).map(([key, spec]) => [key, create(spec)]);
  return { registry, instruments: Object.fromEntries(created) as Instruments };
}
