"""The compilation of functions that others inline: Numba's intermediate code alone, without machine code.

Numba compiles a function that only compiled code calls as if Python called it, too: optimised, as machine code and
with wrappers. All of that is thrown away when the function is inlined, and costs as much as the rest. Importing
this module imports Numba.
"""

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined] # a module of C
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, InlineInlinables


class _InlinedLibrary(JITCodeLibrary):
    """The code of a function and of those that it calls, which is optimised where it is inlined."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlinedLowering(NativeLowering):
    """Numba's last step without machine code."""

    _name = "inlined_lowering"

    def run_pass(self, state: Any) -> bool:
        """Write the intermediate code, and register it for callers."""
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        state.library = _InlinedLibrary(codegen, name)  # type: ignore[no-untyped-call]
        state.library.enable_object_caching()
        super().run_pass(state)  # type: ignore[no-untyped-call]
        lowered = state["cr"]
        # Numba finds the code by an entry point for Python, which is never called.
        name = lowered.fndesc.qualname
        entry = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class InlinedCompiler(Compiler):
    """Numba's compiler of a function that is inlined."""

    def __init__(self, *arguments: Any) -> None:
        """Take what Numba's compiler takes; the sixth argument are its flags."""
        arguments[5].no_compile = True
        super().__init__(*arguments)  # type: ignore[no-untyped-call]

    def define_pipelines(self) -> Any:
        """Return Numba's steps with another last one, and without those for closures and array expressions."""
        pipelines = super().define_pipelines()  # type: ignore[no-untyped-call]
        for pipeline in pipelines:
            steps = [step for step in pipeline.passes if step[0] not in _UNUSED]
            pipeline.passes = [(_InlinedLowering if step is NativeLowering else step, why) for step, why in steps]
            pipeline._finalized = False
            pipeline.finalize()
        return pipelines


_UNUSED = {InlineClosureLikes, InlineInlinables, InlineOverloads, NopythonRewrites}
OPTIONS: Any = {"forceinline": True, "no_cfunc_wrapper": True, "pipeline_class": InlinedCompiler}
"""The options with which Numba compiles a function that is inlined."""
