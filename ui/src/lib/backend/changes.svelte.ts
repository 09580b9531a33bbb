/** Calls by which a person changes what the open project says: what is shown of it elsewhere is out of date after each. */
import type { Backend } from "./backend";

export const changes = $state({ made: 0 });

/** The same calls, counted once they are answered. */
export function counted(of: Backend): Backend {
  const told = <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) => (...given: Given): Promise<Answer> =>
    call(...given).finally(() => (changes.made += 1));
  return {
    ...of, ignore: told(of.ignore), stopIgnoring: told(of.stopIgnoring), setSeverity: told(of.setSeverity), evaluate: told(of.evaluate),
    setSegments: told(of.setSegments), setFields: told(of.setFields), computeFields: told(of.computeFields),
    saveCustomAudit: told(of.saveCustomAudit), removeCustomAudit: told(of.removeCustomAudit),
  };
}
