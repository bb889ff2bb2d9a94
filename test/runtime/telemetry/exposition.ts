/** Parses the text format of Prometheus, and finds metrics in files that mention them. */

export interface Sample {
  name: string;
  /** The name of its metric, because a histogram has several samples. */
  family: string;
  labels: string;
  value: number;
}

export function listSamples(text: string): Sample[] {
  const families = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  return [...text.matchAll(/^([a-z_:][\w:]*)(\{.*\})? (\S+)/gim)].map(([, name = '', labels = '', value = '']) => {
    const stem = name.replace(/_(bucket|sum|count)$/, '');
    return { name, family: families.has(name) ? name : stem, labels, value: Number(value) };
  });
}

/** Lists names of metrics without the suffixes of histogram samples. */
export function listMentionedMetrics(text: string): string[] {
  const names = text.match(/\b(?:courant|nodejs|process|temporal)_[a-z_]+[a-z]\b/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}
