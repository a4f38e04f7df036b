/** One state of a chart, as people read about it. */
export interface ChartState {
  /** Where the state is: the names from the machine's first level down, joined by dots, such as `plan.editing.preInit`. */
  path: string;
  /** One sentence. */
  description: string;
  tags: readonly string[];
  kind: 'atomic' | 'compound' | 'parallel';
}

/** One machine, drawn. */
export interface ChartSource {
  /** The machine's id, which is also the name of its files. */
  name: string;
  title: string;
  /** Each state is a group with its path as `data-state`: `<g data-state="plan.editing.preInit" ...>`. */
  svg: string;
  /** In the order in which the machine declares them, parents before their children. */
  states: readonly ChartState[];
}
