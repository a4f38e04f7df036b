/** A required section: its one accepted heading, and names that people and models write instead of it. */
export interface SectionTemplate {
  name: 'context' | 'steps';
  heading: '## Context' | '## Implementation steps';
  /** What belongs under it, as the end of a sentence. */
  content: string;
  synonyms: readonly string[];
  translations: readonly string[];
}

/** A required label of the Context section. `field` is the property it fills. */
export interface LabelTemplate {
  name: 'problem' | 'target' | 'intent';
  field: 'problem' | 'targetState' | 'intent';
  label: string;
  synonyms: readonly string[];
  translations: readonly string[];
}

/** The synonyms and translations only choose a hint; they are never accepted in place of the name (D24). */
export const CONTEXT_SECTION: SectionTemplate = {
  name: 'context',
  heading: '## Context',
  content: '"**Problem:**", "**Target state:**" and "**Intent:**", each with text on the same line',
  synonyms: ['context', 'the context'],
  translations: [
    'контекст',
    'contexto',
    'contexte',
    'kontext',
    'contesto',
    'konteks',
    'kontekst',
    'bağlam',
    '上下文',
    '背景',
    'コンテキスト',
    '컨텍스트',
    '배경',
  ],
};

export const STEPS_SECTION: SectionTemplate = {
  name: 'steps',
  heading: '## Implementation steps',
  content: 'at least one line such as "1. First step — what to do"',
  synonyms: ['implementation steps', 'implementation step', 'implementation', 'implementation plan', 'steps'],
  translations: [
    'шаги реализации',
    'шаги',
    'этапы реализации',
    'план реализации',
    'кроки реалізації',
    'pasos de implementación',
    'pasos',
    'passos de implementação',
    'etapas de implementação',
    "étapes d'implémentation",
    'étapes',
    'umsetzungsschritte',
    'implementierungsschritte',
    'fasi di implementazione',
    'langkah implementasi',
    'kroki implementacji',
    'uygulama adımları',
    '实施步骤',
    '实现步骤',
    '實作步驟',
    '実装手順',
    '実装ステップ',
    '구현 단계',
  ],
};

export const CONTEXT_LABELS: readonly LabelTemplate[] = [
  {
    name: 'problem',
    field: 'problem',
    label: '**Problem:**',
    synonyms: ['problem', 'the problem', 'problem statement'],
    translations: ['проблема', 'problema', 'problème', 'masalah', 'sorun', '问题', '問題', '課題', '문제'],
  },
  {
    name: 'target',
    field: 'targetState',
    label: '**Target state:**',
    synonyms: ['target state', 'target', 'targetstate', 'goal state', 'desired state'],
    translations: [
      'целевое состояние',
      'цільовий стан',
      'estado objetivo',
      'estado alvo',
      'état cible',
      'zielzustand',
      'stato obiettivo',
      'keadaan target',
      'stan docelowy',
      'hedef durum',
      '目标状态',
      '目標狀態',
      '目標状態',
      '목표 상태',
    ],
  },
  {
    name: 'intent',
    field: 'intent',
    label: '**Intent:**',
    synonyms: ['intent', 'intention', 'the intent'],
    translations: [
      'намерение',
      'намір',
      'intención',
      'intenção',
      'absicht',
      'intento',
      'niat',
      'zamiar',
      'amaç',
      '意图',
      '意圖',
      '意図',
      '의도',
    ],
  },
];

/** Case-folded lookup: does the name stand for this section or label, and how. */
export function matchName(
  name: string,
  template: Pick<LabelTemplate, 'synonyms' | 'translations'>,
): 'synonym' | 'translation' | null {
  const folded = name.toLowerCase().normalize('NFC');
  if (template.synonyms.includes(folded)) return 'synonym';
  return template.translations.includes(folded) ? 'translation' : null;
}
