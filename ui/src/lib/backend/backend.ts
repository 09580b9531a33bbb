import type {
  ApiError, AuditCard, AuditForm, CopyFormat, CustomAudit, CustomAuditCard, Exported, FieldCard, FieldsComputed, FieldText, Filter, GivenCredential, IssueCard, IssueGroup, JobNews, Network, Overview, ProfileCard, ProjectCard,
  Pulse, RecentProject, SectionCard, RobotsFile, RobotsHosts, RobotsSandbox, RobotsVerdict, RowRange, SegmentCard, SegmentPreview, SegmentText, SettingsForm, SitemapTree, SqlPreview, TableCard, TableOpened, TableQuery,
  TableRow, TrapAllowed, TrapCard, UrlDetail, ViewCard, CurlCommand, FindingPlace, KeptCredentials, SignIn, SignInNeeded, SignInPlace,
  IgnoredCard, IgnoreRequest, RecheckForm, RecheckReport, SeverityCard, ThresholdValue,
} from "./bindings";

/** Everything the interface can ask for. Each call may reject with an `ApiError`. */
export interface Backend {
  // Projects
  recentProjects(): Promise<RecentProject[]>;
  forgetProject(path: string): Promise<void>;
  openProject(path: string): Promise<ProjectCard>;
  closeProject(): Promise<void>;
  project(): Promise<ProjectCard | null>;
  /** Paths that were given to the program when it started, or dropped on the system's icon. */
  startedWith(): Promise<string[]>;

  // Jobs
  startAudit(form: AuditForm): Promise<JobNews>;
  /** With what the keychain has, unless something else is said. Rejects with code "credentials" where that does not let it in. */
  resumeAudit(path: string, signIn?: SignIn): Promise<JobNews>;
  pauseJob(): Promise<void>;
  continueJob(): Promise<void>;
  stopJob(): Promise<void>;
  /** The newest job of this program run, running or not. */
  job(): Promise<JobNews | null>;
  /** Whole snapshots, at most five a second. */
  watchJob(onNews: (news: JobNews) => void): Promise<void>;
  pulse(crawl: number): Promise<Pulse>;
  /** The patterns that a crawl paused. While it runs, ask again for news. */
  traps(crawl: number): Promise<TrapCard[]>;
  /** Lets a pattern go on. Where the crawl is over, the answer says that it has to be resumed for that. */
  allowTrap(crawl: number, pattern: string): Promise<TrapAllowed>;

  // Signing in. Values go to the engine and never come back.
  /** Whom a sign-in beside this address, or beside the list at this path, is for. */
  signInPlace(address: string, list: string | null): Promise<SignInPlace>;
  /** Rejects with what is wrong, at `credentials.NUMBER.FIELD`. */
  checkSignIn(origin: string, credentials: GivenCredential[]): Promise<void>;
  keptSignIns(): Promise<KeptCredentials[]>;
  /** In the place of what is kept for the origin. Rejects with code "keychain" where there is none to keep it. */
  keepSignIn(origin: string, credentials: GivenCredential[]): Promise<KeptCredentials[]>;
  forgetSignIn(origin: string): Promise<KeptCredentials[]>;
  /** What the crawl that would be resumed began with; null where none can be. */
  signInNeeded(path: string): Promise<SignInNeeded | null>;

  // Tables
  tables(): Promise<TableCard[]>;
  /** `ticket` names the call for `cancelTable`. A cancelled call rejects with code "cancelled". */
  openTable(query: TableQuery, ticket: number): Promise<TableOpened>;
  cancelTable(ticket: number): Promise<void>;
  tableRows(table: number, start: number, count: number, columns: string[]): Promise<TableRow[]>;
  /** Rows that the same query would give now. */
  tableLength(table: number): Promise<number>;
  /** The position of a row in an ordering, by its key; null where it is not in it. */
  tablePosition(table: number, key: number, link: number): Promise<number | null>;
  closeTable(table: number): Promise<void>;
  copyRows(table: number, ranges: RowRange[], columns: string[], format: CopyFormat): Promise<string>;
  exportTable(table: number, ranges: RowRange[] | null, columns: string[], path: string): Promise<Exported>;
  /** Where an export would be saved unless the person says otherwise. */
  exportPath(name: string, ending: string): Promise<string>;

  // Understanding
  overview(crawl: number): Promise<Overview>;
  /** The sections of the site, the largest first. */
  sections(crawl: number): Promise<SectionCard[]>;
  issues(crawl: number): Promise<IssueCard[]>;
  audit(id: string): Promise<AuditCard>;
  issueGroups(crawl: number, audit: string): Promise<IssueGroup[]>;
  issueText(crawl: number, audit: string): Promise<string>;
  urlDetail(crawl: number, key: number): Promise<UrlDetail>;
  urlHtml(crawl: number, key: number): Promise<string | null>;
  /** Where the element of a finding stands in that text; null where it is about no element. `link` as in details and table rows. */
  findingPlace(crawl: number, key: number, audit: string, link: number): Promise<FindingPlace | null>;
  /** The command line that asks for a URL as the crawl did; null where it never asked. */
  curlCommand(crawl: number, key: number): Promise<CurlCommand | null>;
  /** The key of a URL in a crawl, by its text. */
  urlKey(crawl: number, url: string): Promise<number | null>;

  // Robots & sitemaps
  robotsHosts(crawl: number): Promise<RobotsHosts>;
  robotsFile(crawl: number, origin: string): Promise<RobotsFile>;
  /** `text` null asks the file as fetched. `urls` may be paths of the origin. */
  robotsTest(crawl: number, origin: string, text: string | null, agent: string, urls: string[]): Promise<RobotsVerdict[]>;
  /** What `text` would do to the crawl's URLs of the origin. `ticket` names the call for `cancelSandbox`; it then rejects with code "cancelled". */
  robotsSandbox(crawl: number, origin: string, text: string, agent: string, ticket: number): Promise<RobotsSandbox>;
  cancelSandbox(ticket: number): Promise<void>;
  sitemapTree(crawl: number): Promise<SitemapTree>;

  /** Every host contacted. While the crawl runs in this program, with what is so at this moment: ask again for news. */
  network(crawl: number): Promise<Network>;

  // The broken-link report. Branding comes from the profile's settings `report.*`.
  brokenLinkReport(crawl: number, profile: string | null, path: string): Promise<Exported>;

  // What a person adds to the project. `ticket` names a call for `cancelCustom`, which then rejects with code "cancelled".
  segments(crawl: number): Promise<SegmentCard[]>;
  /** What patterns would have in a crawl. */
  trySegment(crawl: number, patterns: string[], ticket: number): Promise<SegmentPreview>;
  /** In the place of those there are; all URLs of the project are judged anew. */
  setSegments(segments: SegmentText[], ticket: number): Promise<void>;
  cancelCustom(ticket: number): Promise<void>;
  /** What is looked for in pages, with how many pages of a crawl have it. */
  fields(crawl: number): Promise<FieldCard[]>;
  /** In the place of those there are. */
  setFields(fields: FieldText[]): Promise<void>;
  /** Over the stored pages of a crawl. */
  computeFields(crawl: number, ticket: number): Promise<FieldsComputed>;
  /** How many of how many pages are done by the call with this ticket. */
  customProgress(ticket: number): Promise<[number, number]>;
  customAudits(crawl: number): Promise<CustomAuditCard[]>;
  /** The first rows that a statement gives. */
  tryCustomAudit(crawl: number, sql: string): Promise<SqlPreview>;
  /** Saves an audit and evaluates it in the crawl. */
  saveCustomAudit(crawl: number, audit: CustomAudit): Promise<CustomAuditCard[]>;
  removeCustomAudit(crawl: number, id: string): Promise<CustomAuditCard[]>;
  /** The documented views with their columns. */
  views(): Promise<ViewCard[]>;

  // What a person says about findings. While a job writes the project, changes reject with code "busy".
  ignored(crawl: number): Promise<IgnoredCard[]>;
  ignore(request: IgnoreRequest): Promise<IgnoredCard[]>;
  stopIgnoring(entry: number): Promise<void>;
  severities(): Promise<SeverityCard[]>;
  /** Without a severity, what the audit says itself; without a priority, that of the audit. */
  setSeverity(audit: string, severity: string | null, priority: string | null): Promise<void>;
  thresholds(crawl: number, audit: string): Promise<ThresholdValue[]>;
  /** Judges the crawl again; the project keeps what is set and gives up what is reset. Told how much is done, from 0 to 1. Ended by `cancelCustom`. */
  evaluate(crawl: number, set: [string, string][], reset: string[], ticket: number, onProgress: (share: number) => void): Promise<void>;
  startRecheck(form: RecheckForm): Promise<JobNews>;
  recheck(crawl: number): Promise<RecheckReport>;

  // Settings
  profiles(): Promise<ProfileCard[]>;
  settingsForm(profile: string): Promise<SettingsForm>;
  /** `text` null goes back to the default. Rejects with code "settings" where the value is wrong. */
  setSetting(profile: string, id: string, text: string | null): Promise<SettingsForm>;
  createProfile(name: string, like: string): Promise<ProfileCard[]>;
  removeProfile(name: string): Promise<ProfileCard[]>;
  importProfile(path: string): Promise<ProfileCard[]>;
  exportProfile(name: string, path: string): Promise<void>;
  preferences(): Promise<Record<string, string>>;
  setPreference(key: string, value: string): Promise<void>;

  // The desktop
  openInBrowser(url: string): Promise<void>;
  showInFolder(path: string): Promise<void>;
  /** Whether something is at this path already. */
  fileExists(path: string): Promise<boolean>;
  chooseFile(title: string, endings: string[]): Promise<string | null>;
  chooseSave(title: string, suggested: string, endings: string[]): Promise<string | null>;
  onDrop(handle: (paths: string[], over: boolean) => void): Promise<() => void>;
}

export type { ApiError, Filter };
