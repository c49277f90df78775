export type Event<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };
export type DomainCommand<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };
