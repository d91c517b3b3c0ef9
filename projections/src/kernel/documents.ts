import type { Collection, Documents } from './projection.ts';

/** Gives the stored document of a key, or undefined. */
export type LoadDocument = <D extends object>(collection: Collection<D>, key: string) => D | undefined;

/** Documents in maps, for folds that keep everything in memory: a rebuild, a branch of the log, a test. `load` gives what was there before the fold. */
export class FoldDocuments implements Documents {
  readonly #maps = new Map<object, Map<string, object>>();
  readonly #load: LoadDocument | undefined;

  constructor(load?: LoadDocument) {
    this.#load = load;
  }

  read<D extends object>(collection: Collection<D>, key: string): D | undefined {
    const map = this.#of(collection);
    const known = map.get(key);
    if (known !== undefined) return known as D;
    const loaded = this.#load?.(collection, key);
    if (loaded !== undefined) map.set(key, loaded);
    return loaded;
  }

  change<D extends object>(collection: Collection<D>, key: string): D {
    const known = this.read(collection, key);
    if (known !== undefined) return known;
    const begun = collection.initial(key);
    this.#of(collection).set(key, begun);
    return begun;
  }

  touch(): void {
    // Everything that is wanted of a fold is rendered at its end.
  }

  /** Every document of a collection that the fold met, in the order in which it met them. */
  all<D extends object>(collection: Collection<D>): ReadonlyMap<string, D> {
    return this.#of(collection) as unknown as ReadonlyMap<string, D>;
  }

  #of(collection: object): Map<string, object> {
    let map = this.#maps.get(collection);
    if (map === undefined) {
      map = new Map();
      this.#maps.set(collection, map);
    }
    return map;
  }
}
