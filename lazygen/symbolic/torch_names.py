"""The public names of torch, by module and kind: made by `python -m lazygen.symbolic.make_torch_names`."""

from __future__ import annotations

from typing import Any

VERSION = "2.13.0"

# `alias` is the home of an object that other modules show too; `hidden` are names that `__all__` leaves out.
NAMES: dict[str, dict[str, Any]] = {
    "torch": {
        "function": """
            abs abs_ absolute acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv
            addcmul addmm addmv addmv_ addr adjoint affine_grid_generator alias_copy all allclose alpha_dropout
            alpha_dropout_ amax amin aminmax angle any arange arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh
            arcsinh_ arctan arctan2 arctan_ arctanh arctanh_ are_deterministic_algorithms_enabled argmax argmin
            argsort argwhere as_strided as_strided_ as_strided_copy as_strided_scatter as_tensor asarray asin asin_
            asinh asinh_ atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d autocast_decrement_nesting
            autocast_increment_nesting avg_pool1d baddbmm bartlett_window batch_norm batch_norm_backward_elemt
            batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats batch_norm_gather_stats_with_counts
            batch_norm_stats batch_norm_update_stats bernoulli bilinear binary_cross_entropy_with_logits bincount
            binomial bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
            blackman_window block_diag bmm broadcast_shapes broadcast_tensors broadcast_to bucketize can_cast
            cartesian_prod cat ccol_indices_copy cdist ceil ceil_ celu celu_ chain_matmul channel_shuffle cholesky
            cholesky_inverse cholesky_solve choose_qparams_optimized chunk clamp clamp_ clamp_max clamp_max_ clamp_min
            clamp_min_ classproperty clear_autocast_cache clip clip_ clone col_indices_copy column_stack combinations
            compile compiled_with_cxx11_abi complex concat concatenate cond conj conj_physical conj_physical_
            constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d
            convolution copysign corrcoef cos cos_ cosh cosh_ cosine_embedding_loss cosine_similarity count_nonzero
            cov cross crow_indices_copy ctc_loss cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
            cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler
            cudnn_is_acceptable cummax cummin cumprod cumsum cumulative_trapezoid deg2rad deg2rad_ dequantize det
            detach detach_ detach_copy diag diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma
            dist div divide dot dropout dropout_ dsmm dsplit dstack eig einsum embedding embedding_bag
            embedding_renorm_ empty empty_like empty_permuted empty_quantized empty_strided eq equal erf erf_ erfc
            erfc_ erfinv exp exp2 exp2_ exp_ expand_copy expm1 expm1_ eye fake_quantize_per_channel_affine
            fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation
            fbgemm_linear_int8_weight fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
            fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix feature_alpha_dropout feature_alpha_dropout_
            feature_dropout feature_dropout_ fill fill_ fix fix_ flatten flip fliplr flipud float_power floor floor_
            floor_divide fmax fmin fmod fork frac frac_ frexp frobenius_norm from_dlpack from_file from_numpy
            frombuffer full full_like fused_moving_avg_obs_fake_quant gather gcd gcd_ ge geqrf ger
            get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype
            get_autocast_xla_dtype get_default_device get_default_dtype get_deterministic_debug_mode get_device
            get_device_module get_file_path get_float32_matmul_precision get_num_interop_threads get_num_threads
            get_rng_state gradient greater greater_equal grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru
            gru_cell gt hamming_window hann_window hardshrink hash_tensor heaviside hinge_embedding_loss histc
            histogram histogramdd hsmm hsplit hspmm hstack hypot i0 i0_ igamma igammac imag import_ir_module
            import_ir_module_from_buffer index_add index_copy index_fill index_put index_put_ index_reduce
            index_select indices_copy init_num_threads initial_seed inner instance_norm int_repr inverse
            is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled is_autocast_cpu_enabled
            is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled is_complex is_conj
            is_deterministic_algorithms_warn_only_enabled is_distributed is_floating_point is_grad_enabled
            is_inference is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_storage is_tensor
            is_vulkan_available is_warn_always_enabled isclose isfinite isin isinf isnan isneginf isposinf isreal
            istft kaiser_window kl_div kron kthvalue layer_norm lcm lcm_ ldexp ldexp_ le lerp less less_equal lgamma
            linspace load lobpcg log log10 log10_ log1p log1p_ log2 log2_ log_ log_softmax logaddexp logaddexp2
            logcumsumexp logdet logical_and logical_not logical_or logical_xor logit logit_ logspace logsumexp lstm
            lstm_cell lstsq lt lu lu_solve lu_unpack manual_seed margin_ranking_loss masked_fill masked_scatter
            masked_select matmul matrix_exp matrix_power matrix_rank max max_pool1d max_pool1d_with_indices max_pool2d
            max_pool3d maximum mean median merge_type_from_type_comment meshgrid min minimum miopen_batch_norm
            miopen_convolution miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose
            miopen_ctc_loss miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d mkldnn_convolution
            mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer mm mode moveaxis
            movedim msort mul multinomial multiply mv mvlgamma nan_to_num nan_to_num_ nanmean nanmedian nanquantile
            nansum narrow narrow_copy native_batch_norm native_channel_shuffle native_dropout native_group_norm
            native_layer_norm native_norm ne neg neg_ negative negative_ nextafter nonzero nonzero_static norm
            norm_except_dim normal not_equal nuclear_norm numel ones ones_like orgqr ormqr outer pairwise_distance
            parse_ir parse_schema parse_type_comment pca_lowrank pdist permute permute_copy pinverse pixel_shuffle
            pixel_unshuffle poisson poisson_nll_loss polar polygamma positive pow prelu
            prepare_multiprocessing_environment prod profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 promote_types
            put q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr quantile
            quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm quantized_gru
            quantized_gru_cell quantized_lstm quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d
            quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell rad2deg rad2deg_ rand rand_like
            randint randint_like randn randn_like randperm range ravel real reciprocal reciprocal_ relu relu_
            remainder renorm repeat_interleave reshape resize_as_ resize_as_sparse_ resolve_conj resolve_neg
            result_type rms_norm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell roll rot90 round round_
            row_indices_copy row_stack rrelu rrelu_ rsqrt rsqrt_ rsub saddmm save scalar_tensor scatter scatter_add
            scatter_reduce searchsorted seed segment_reduce select select_copy select_scatter selu selu_
            set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled
            set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype set_autocast_ipu_dtype
            set_autocast_ipu_enabled set_autocast_xla_dtype set_autocast_xla_enabled set_default_device
            set_default_dtype set_default_tensor_type set_deterministic_debug_mode set_float32_matmul_precision
            set_flush_denormal set_num_interop_threads set_num_threads set_printoptions set_rng_state set_warn_always
            sgn sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice_copy slice_inverse slice_scatter
            slogdet smm softmax solve sort sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor
            sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor split split_copy split_with_sizes
            split_with_sizes_copy spmm sqrt sqrt_ square square_ squeeze squeeze_copy sspaddmm stack std std_mean stft
            sub subtract sum svd svd_lowrank swapaxes swapdims sym_constrain_range sym_constrain_range_for_size
            sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum symeig t t_copy take
            take_along_dim tan tan_ tanh tanh_ tensor tensor_split tensordot thread_safe_generator threshold
            threshold_ tile to_dlpack topk trace transpose transpose_copy trapezoid trapz triangular_solve tril
            tril_indices triplet_margin_loss triu triu_indices true_divide trunc trunc_ typename unbind unbind_copy
            unflatten unfold_copy unify_type_list unique unique_consecutive unravel_index unsafe_chunk unsafe_split
            unsafe_split_with_sizes unsqueeze unsqueeze_copy use_deterministic_algorithms values_copy vander var
            var_mean vdot view_as_complex view_as_complex_copy view_as_real view_as_real_copy view_copy vmap vsplit
            vstack wait where while_loop xlogy xlogy_ zero_ zeros zeros_like
        """,
        "class": """
            AggregationType AliasDb AnyType Argument ArgumentSpec AwaitType BFloat16Storage BFloat16Tensor
            BenchmarkConfig BenchmarkExecutionStats Block BoolStorage BoolTensor BoolType BufferDict ByteStorage
            ByteTensor CallStack Capsule CharStorage CharTensor ClassType Code CompilationUnit CompleteArgumentSpec
            ComplexDoubleStorage ComplexFloatStorage ComplexType ConcreteModuleType ConcreteModuleTypeBuilder
            DeepCopyMemoTable DeserializationStorageContext DeviceObjType DictType DisableTorchFunction
            DisableTorchFunctionSubclass DispatchKey DispatchKeySet DoubleStorage DoubleTensor EnumType ErrorReport
            Event ExcludeDispatchKeyGuard ExecutionPlan FileCheck FloatStorage FloatTensor FloatType FunctionSchema
            Future FutureType Generator GradScaler Gradient Graph GraphExecutorState HalfStorage HalfTensor
            IODescriptor InferredType IntStorage IntTensor IntType InterfaceType ListType LiteScriptModule
            LockingLogger LoggerBase LongStorage LongTensor ModuleDict Node NoneType NoopLogger NumberType
            OperatorInfo OptionalType ParameterDict PyObjectType PyTorchFileReader PyTorchFileWriter QInt32Storage
            QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage RRefType ScriptClass ScriptClassFunction
            ScriptDict ScriptDictIterator ScriptDictKeyIterator ScriptFunction ScriptList ScriptListIterator
            ScriptMethod ScriptModule ScriptModuleSerializer ScriptObject ScriptObjectProperty
            SerializationStorageContext ShortStorage ShortTensor Size StaticModule StorageBase Stream StreamObjType
            StringType SymBool SymBoolType SymFloat SymInt SymIntType Tag Tensor TensorType ThroughputBenchmark
            TracingState TupleType Type TypedStorage UnionType UntypedStorage Use Value autocast device dtype
            enable_grad finfo iinfo inference_mode layout memory_format no_grad qscheme set_grad_enabled
        """,
        "exception": """
            AcceleratorError FatalError JITException OutOfMemoryError
        """,
        "module": """
            accelerator amp ao autograd backends classes compiler cpu cuda distributed distributions export fft func
            functional futures fx hub jit library linalg masked monitor mps mtia multiprocessing nativert nested nn
            numa onnx ops optim overrides package profiler quantization quasirandom random return_types serialization
            signal sparse special storage testing torch_version types utils version xpu
        """,
        "object": """
            AVG SUM channels_last channels_last_3d contiguous_format default_generator jagged per_channel_affine
            per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine per_tensor_symmetric
            preserve_format sparse_bsc sparse_bsr sparse_coo sparse_csc sparse_csr strided
        """,
        "alias": {
            "Storage": "torch.FloatStorage", "complex128": "torch.cdouble", "complex32": "torch.chalf",
            "complex64": "torch.cfloat", "cpp": "torch._C.cpp", "float32": "torch.float", "float64": "torch.double",
            "half": "torch.float16", "int32": "torch.int", "legacy_contiguous_format": "torch.contiguous_format",
            "long": "torch.int64", "short": "torch.int16", "uint1": "torch.bit", "windows": "torch.signal.windows",
        },
        "constant": {
            "TYPE_CHECKING": False, "USE_GLOBAL_DEPS": True, "USE_RTLD_GLOBAL_WITH_LIBTORCH": False,
            "e": 2.718281828459045, "has_lapack": True, "has_mkl": True, "has_openmp": True, "has_spectral": True,
            "newaxis": None, "pi": 3.141592653589793,
        },
        "dtype": {
            "bfloat16": 2, "bit": 1, "bits16": 2, "bits1x8": 1, "bits2x4": 1, "bits4x2": 1, "bits8": 1, "bool": 1,
            "cdouble": 16, "cfloat": 8, "chalf": 4, "double": 8, "float": 4, "float16": 2, "float4_e2m1fn_x2": 1,
            "float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1,
            "int": 4, "int1": 1, "int16": 2, "int2": 1, "int3": 1, "int4": 1, "int5": 1, "int6": 1, "int64": 8,
            "int7": 1, "int8": 1, "qint32": 4, "qint8": 1, "quint2x4": 1, "quint4x2": 1, "quint8": 1, "uint16": 2,
            "uint2": 1, "uint3": 1, "uint32": 4, "uint4": 1, "uint5": 1, "uint6": 1, "uint64": 8, "uint7": 1,
            "uint8": 1,
        },
        "hidden": """
            BFloat16Storage BFloat16Tensor ComplexDoubleStorage ComplexFloatStorage HalfStorage HalfTensor LoggerBase
            QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage Storage StorageBase TYPE_CHECKING
            USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH accelerator amp ao autograd backends broadcast_shapes
            channels_last channels_last_3d classes classproperty compiled_with_cxx11_abi compiler contiguous_format
            cpu cuda distributed distributions eig fft from_dlpack func functional futures fx get_file_path hub jagged
            jit legacy_contiguous_format library linalg lstsq lu masked matrix_rank monitor mps mtia multiprocessing
            nativert nested nn numa onnx ops optim overrides package pca_lowrank per_channel_affine
            per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine per_tensor_symmetric
            prepare_multiprocessing_environment preserve_format profiler
            profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 quantization quantized_gru quantized_lstm quasirandom
            random return_types segment_reduce serialization set_default_dtype set_grad_enabled signal solve sparse
            sparse_bsc sparse_bsr sparse_coo sparse_csc sparse_csr special storage strided svd_lowrank symeig testing
            to_dlpack torch_version types unique utils version while_loop windows xpu
        """,
    },
    "torch.accelerator": {
        "function": """
            current_accelerator current_device_idx current_device_index current_stream device_count empty_cache
            empty_host_cache get_device_capability get_memory_info is_available max_memory_allocated
            max_memory_reserved memory_allocated memory_reserved memory_stats reset_accumulated_memory_stats
            reset_peak_memory_stats set_device_idx set_device_index set_stream synchronize
        """,
        "class": """
            Graph device_index
        """,
        "module": """
            graphs memory
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            graphs memory torch
        """,
    },
    "torch.amp": {
        "function": """
            custom_bwd custom_fwd is_autocast_available
        """,
        "module": """
            autocast_mode grad_scaler
        """,
        "alias": {
            "GradScaler": "torch.GradScaler", "autocast": "torch.autocast",
        },
        "hidden": """
            autocast_mode grad_scaler
        """,
    },
    "torch.amp.autocast_mode": {
        "function": """
            autocast_decorator
        """,
        "alias": {
            "autocast": "torch.autocast", "custom_bwd": "torch.amp.custom_bwd", "custom_fwd": "torch.amp.custom_fwd",
            "is_autocast_available": "torch.amp.is_autocast_available", "torch": "torch",
        },
        "constant": {
            "HAS_NUMPY": True,
        },
        "hidden": """
            HAS_NUMPY torch
        """,
    },
    "torch.amp.grad_scaler": {
        "class": """
            OptState
        """,
        "alias": {
            "GradScaler": "torch.GradScaler", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING torch
        """,
    },
    "torch.ao": {
        "module": """
            nn ns pruning quantization
        """,
    },
    "torch.autograd": {
        "function": """
            backward grad gradcheck gradgradcheck handle_torch_function has_torch_function is_multithreading_enabled
            is_tensor_like is_view_replay_enabled kineto_available variable
        """,
        "class": """
            DeviceType Function NestedIOFunction ProfilerActivity ProfilerConfig ProfilerEvent ProfilerState
            SavedTensor Variable detect_anomaly enforce_grad_layout_policy set_detect_anomaly
            set_multithreading_enabled
        """,
        "module": """
            anomaly_mode forward_ad function functional grad_mode graph profiler profiler_legacy profiler_util
        """,
        "alias": {
            "enable_grad": "torch.enable_grad", "inference_mode": "torch.inference_mode", "no_grad": "torch.no_grad",
            "set_grad_enabled": "torch.set_grad_enabled", "torch": "torch",
        },
        "hidden": """
            DeviceType ProfilerActivity ProfilerConfig ProfilerEvent ProfilerState SavedTensor anomaly_mode forward_ad
            function functional graph handle_torch_function has_torch_function is_multithreading_enabled
            is_tensor_like is_view_replay_enabled kineto_available profiler profiler_legacy profiler_util torch
        """,
    },
    "torch.autograd.anomaly_mode": {
        "alias": {
            "detect_anomaly": "torch.autograd.detect_anomaly",
            "set_detect_anomaly": "torch.autograd.set_detect_anomaly", "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.autograd.forward_ad": {
        "function": """
            enter_dual_level exit_dual_level make_dual unpack_dual
        """,
        "class": """
            UnpackedDualTensor dual_level
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.autograd.function": {
        "function": """
            custom_function_call once_differentiable
        """,
        "class": """
            BackwardCFunction FunctionCtx FunctionMeta InplaceFunction
        """,
        "alias": {
            "Function": "torch.autograd.Function", "NestedIOFunction": "torch.autograd.NestedIOFunction",
            "hooks": "torch.utils.hooks", "torch": "torch",
        },
        "hidden": """
            custom_function_call hooks torch
        """,
    },
    "torch.autograd.functional": {
        "function": """
            hessian hvp jacobian jvp vhp vjp
        """,
        "alias": {
            "fwAD": "torch.autograd.forward_ad", "torch": "torch",
        },
        "hidden": """
            fwAD torch
        """,
    },
    "torch.autograd.grad_mode": {
        "object": """
            F
        """,
        "alias": {
            "enable_grad": "torch.enable_grad",
            "enforce_grad_layout_policy": "torch.autograd.enforce_grad_layout_policy",
            "inference_mode": "torch.inference_mode", "no_grad": "torch.no_grad",
            "set_grad_enabled": "torch.set_grad_enabled",
            "set_multithreading_enabled": "torch.autograd.set_multithreading_enabled", "torch": "torch",
        },
        "hidden": """
            F torch
        """,
    },
    "torch.autograd.gradcheck": {
        "function": """
            get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input vmap
        """,
        "exception": """
            GradcheckError
        """,
        "alias": {
            "gradcheck": "torch.autograd.gradcheck", "gradgradcheck": "torch.autograd.gradgradcheck",
            "is_tensor_like": "torch.autograd.is_tensor_like", "torch": "torch",
        },
        "hidden": """
            FAILED_BATCHED_GRAD_MSG FAILED_BATCHED_GRAD_MSG_FWD_AD FAILED_NONDET_MSG FAST_FAIL_SLOW_OK_MSG
            is_tensor_like torch vmap
        """,
    },
    "torch.autograd.graph": {
        "function": """
            allow_mutation_on_saved_tensors disable_saved_tensors_hooks get_gradient_edge increment_version
            region_activation_memory_budget register_multi_grad_hook set_override_stale_capture_stream
            set_warn_on_accumulate_grad_stream_mismatch
        """,
        "class": """
            GradientEdge Node TorchDispatchMode save_on_cpu saved_tensors_hooks
        """,
        "alias": {
            "RemovableHandle": "torch.utils.hooks.RemovableHandle", "Variable": "torch.autograd.Variable",
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            RemovableHandle TYPE_CHECKING TorchDispatchMode Variable torch
        """,
    },
    "torch.autograd.profiler": {
        "function": """
            load_nvprof parse_nvprof_trace
        """,
        "class": """
            EnforceUnique EventList FunctionEvent MemRecordsAcc emit_itt emit_nvtx profile
        """,
        "alias": {
            "DeviceType": "torch.autograd.DeviceType", "Future": "torch.jit.Future",
            "KinetoStepTracker": "torch.profiler.KinetoStepTracker",
            "ProfilerActivity": "torch.autograd.ProfilerActivity", "ProfilerConfig": "torch.autograd.ProfilerConfig",
            "ProfilerState": "torch.autograd.ProfilerState", "kineto_available": "torch.autograd.kineto_available",
            "record_function": "torch.profiler.record_function", "torch": "torch",
        },
        "constant": {
            "MEMORY_EVENT_NAME": "[memory]", "OUT_OF_MEMORY_EVENT_NAME": "[OutOfMemory]",
        },
        "hidden": """
            DeviceType Future MEMORY_EVENT_NAME OUT_OF_MEMORY_EVENT_NAME ProfilerActivity ProfilerConfig ProfilerState
            kineto_available torch
        """,
    },
    "torch.autograd.profiler_legacy": {
        "class": """
            profile
        """,
        "alias": {
            "DeviceType": "torch.autograd.DeviceType", "EventList": "torch.autograd.profiler.EventList",
            "FunctionEvent": "torch.autograd.profiler.FunctionEvent",
            "ProfilerConfig": "torch.autograd.ProfilerConfig", "ProfilerState": "torch.autograd.ProfilerState",
            "torch": "torch",
        },
        "constant": {
            "MEMORY_EVENT_NAME": "[memory]",
        },
        "hidden": """
            DeviceType EventList FunctionEvent MEMORY_EVENT_NAME ProfilerConfig ProfilerState torch
        """,
    },
    "torch.autograd.profiler_util": {
        "class": """
            EventMetadata FormattedTimesMixin FunctionEventAvg Interval Kernel StringTable
        """,
        "alias": {
            "DeviceType": "torch.autograd.DeviceType", "EventList": "torch.autograd.profiler.EventList",
            "FunctionEvent": "torch.autograd.profiler.FunctionEvent",
            "MemRecordsAcc": "torch.autograd.profiler.MemRecordsAcc", "torch": "torch",
        },
        "constant": {
            "MEMORY_EVENT_NAME": "[memory]", "OUT_OF_MEMORY_EVENT_NAME": "[OutOfMemory]",
        },
        "hidden": """
            DeviceType MEMORY_EVENT_NAME OUT_OF_MEMORY_EVENT_NAME torch
        """,
    },
    "torch.autograd.variable": {
        "class": """
            ImperativeEngine VariableMeta
        """,
        "alias": {
            "Variable": "torch.autograd.Variable", "torch": "torch",
        },
        "hidden": """
            ImperativeEngine torch
        """,
    },
    "torch.backends": {
        "module": """
            cpu cuda cudnn cusparselt kleidiai mha miopen mkl mkldnn mps nnpack openmp opt_einsum python_native
            quantized xeon xnnpack
        """,
        "alias": {
            "m": "torch.backends",
        },
    },
    "torch.backends.cpu": {
        "function": """
            get_cpu_capability
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.backends.cuda": {
        "function": """
            allow_fp16_bf16_reduction_math_sdp blas_workspace_size can_use_cudnn_attention cublas_workspace_size
            cublaslt_workspace_size cudnn_sdp_enabled enable_cudnn_sdp enable_flash_sdp enable_math_sdp
            enable_mem_efficient_sdp flash_sdp_enabled fp16_bf16_reduction_math_sdp_allowed is_built
            is_ck_sdpa_available is_flash_attention_available math_sdp_enabled mem_efficient_sdp_enabled
            preferred_blas_library preferred_linalg_library preferred_rocm_fa_library sdp_kernel
        """,
        "class": """
            cuBLASModule cuFFTPlanCache cuFFTPlanCacheAttrContextProp cuFFTPlanCacheManager
        """,
        "object": """
            cufft_plan_cache matmul
        """,
        "alias": {
            "SDPAParams": "torch.nn.attention.SDPAParams", "SDPBackend": "torch.nn.attention.SDPBackend",
            "can_use_efficient_attention": "torch.nn.attention.can_use_efficient_attention",
            "can_use_flash_attention": "torch.nn.attention.can_use_flash_attention", "torch": "torch",
        },
        "hidden": """
            SDPBackend torch
        """,
    },
    "torch.backends.cudnn": {
        "alias": {
            "m": "torch.backends.cudnn",
        },
    },
    "torch.backends.cusparselt": {
        "function": """
            get_max_alg_id is_available version
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.backends.kleidiai": {
        "function": """
            is_available
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.backends.mha": {
        "function": """
            get_fastpath_enabled set_fastpath_enabled
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.backends.miopen": {
        "alias": {
            "m": "torch.backends.miopen",
        },
    },
    "torch.backends.mkl": {
        "function": """
            is_available
        """,
        "class": """
            verbose
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "VERBOSE_OFF": 0, "VERBOSE_ON": 1,
        },
    },
    "torch.backends.mkldnn": {
        "alias": {
            "m": "torch.backends.mkldnn",
        },
    },
    "torch.backends.mps": {
        "function": """
            get_core_count get_name is_available is_built is_macos13_or_newer is_macos_or_newer
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING torch
        """,
    },
    "torch.backends.nnpack": {
        "function": """
            flags is_available set_flags
        """,
        "class": """
            ContextProp PropModule
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            ContextProp PropModule torch
        """,
    },
    "torch.backends.openmp": {
        "function": """
            is_available
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.backends.opt_einsum": {
        "alias": {
            "m": "torch.backends.opt_einsum",
        },
    },
    "torch.backends.python_native": {
        "alias": {
            "m": "torch.backends.python_native",
        },
    },
    "torch.backends.quantized": {
        "alias": {
            "m": "torch.backends.quantized",
        },
    },
    "torch.backends.xeon": {
    },
    "torch.backends.xnnpack": {
        "alias": {
            "m": "torch.backends.xnnpack",
        },
    },
    "torch.compiler": {
        "function": """
            allow_in_graph assume_constant_result compile cudagraph_mark_step_begin disable get_default_backend
            is_compiling is_dynamo_compiling is_exporting keep_portable_guards_unsafe keep_tensor_guards_unsafe
            list_backends load_cache_artifacts load_compiled_function nested_compile_region reset save_cache_artifacts
            set_default_backend set_enable_guard_collectives set_stance skip_all_guards_unsafe
            skip_guard_on_all_nn_modules_unsafe skip_guard_on_globals_unsafe skip_guard_on_inbuilt_nn_modules_unsafe
            substitute_in_graph wrap_numpy
        """,
        "class": """
            CacheInfo NestedCompileRegionOptions
        """,
        "module": """
            config
        """,
        "object": """
            F
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            CacheInfo F NestedCompileRegionOptions torch
        """,
    },
    "torch.cpu": {
        "function": """
            current_device current_stream device_count get_capabilities is_available is_initialized set_device stream
            synchronize
        """,
        "class": """
            Event Stream StreamContext
        """,
        "module": """
            amp
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            amp torch
        """,
    },
    "torch.cuda": {
        "function": """
            caching_allocator_alloc caching_allocator_delete caching_allocator_disabled caching_allocator_enable
            can_device_access_peer change_current_allocator check_error clock_rate cudart current_blas_handle
            current_device current_solver_handle current_stream default_stream device_count device_memory_used
            empty_cache get_allocator_backend get_arch_list get_device_capability get_device_name
            get_device_properties get_gencode_flags get_per_process_memory_fraction get_rng_state get_rng_state_all
            get_stream_from_external get_sync_debug_mode graph_pool_handle host_memory_stats
            host_memory_stats_as_nested_dict init initial_seed ipc_collect is_available is_bf16_supported
            is_current_stream_capturing is_initialized is_tf32_supported list_gpu_processes make_graphed_callables
            manual_seed manual_seed_all max_memory_allocated max_memory_cached max_memory_reserved mem_get_info
            memory_allocated memory_cached memory_reserved memory_snapshot memory_stats memory_stats_as_nested_dict
            memory_summary memory_usage power_draw reset_accumulated_host_memory_stats reset_accumulated_memory_stats
            reset_max_memory_allocated reset_max_memory_cached reset_peak_host_memory_stats reset_peak_memory_stats
            seed seed_all set_device set_per_process_memory_fraction set_rng_state set_rng_state_all set_stream
            set_sync_debug_mode stream synchronize temperature use_mem_pool utilization
        """,
        "class": """
            BFloat16Storage BFloat16Tensor BoolStorage BoolTensor ByteStorage ByteTensor CUDAGraph
            CUDAPluggableAllocator CharStorage CharTensor ComplexDoubleStorage ComplexFloatStorage DoubleStorage
            DoubleTensor Event ExternalStream FloatStorage FloatTensor GreenContext HalfStorage HalfTensor IntStorage
            IntTensor LongStorage LongTensor MemPool ShortStorage ShortTensor Stream StreamContext cudaStatus device
            device_of graph
        """,
        "exception": """
            CudaError DeferredCudaCallError
        """,
        "module": """
            amp comm gds graphs green_contexts jiterator memory nccl nvtx profiler random sparse streams tunable
        """,
        "alias": {
            "AcceleratorError": "torch.AcceleratorError", "OutOfMemoryError": "torch.OutOfMemoryError",
            "classproperty": "torch.classproperty", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False, "has_half": True, "has_magma": False,
        },
        "hidden": """
            AcceleratorError OutOfMemoryError TYPE_CHECKING classproperty comm gds green_contexts torch
        """,
    },
    "torch.cuda.amp": {
        "function": """
            amp_definitely_not_available custom_bwd custom_fwd
        """,
        "class": """
            GradScaler autocast
        """,
        "module": """
            autocast_mode common grad_scaler
        """,
        "hidden": """
            autocast_mode common grad_scaler
        """,
    },
    "torch.cuda.comm": {
        "function": """
            broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter
        """,
    },
    "torch.cuda.gds": {
        "function": """
            gds_deregister_buffer gds_register_buffer
        """,
        "class": """
            GdsFile
        """,
        "alias": {
            "Storage": "torch.types.Storage", "torch": "torch",
        },
        "hidden": """
            Storage torch
        """,
    },
    "torch.cuda.graphs": {
        "alias": {
            "CUDAGraph": "torch.cuda.CUDAGraph", "Tensor": "torch.Tensor", "graph": "torch.cuda.graph",
            "graph_pool_handle": "torch.cuda.graph_pool_handle",
            "is_current_stream_capturing": "torch.cuda.is_current_stream_capturing",
            "make_graphed_callables": "torch.cuda.make_graphed_callables", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING Tensor torch
        """,
    },
    "torch.cuda.green_contexts": {
        "alias": {
            "GreenContext": "torch.cuda.GreenContext", "torch": "torch",
        },
        "constant": {
            "SUPPORTED": False,
        },
        "hidden": """
            SUPPORTED torch
        """,
    },
    "torch.cuda.jiterator": {
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            Tensor torch
        """,
    },
    "torch.cuda.memory": {
        "alias": {
            "CUDAPluggableAllocator": "torch.cuda.CUDAPluggableAllocator", "MemPool": "torch.cuda.MemPool",
            "caching_allocator_alloc": "torch.cuda.caching_allocator_alloc",
            "caching_allocator_delete": "torch.cuda.caching_allocator_delete",
            "caching_allocator_disabled": "torch.cuda.caching_allocator_disabled",
            "caching_allocator_enable": "torch.cuda.caching_allocator_enable",
            "change_current_allocator": "torch.cuda.change_current_allocator",
            "empty_cache": "torch.cuda.empty_cache", "get_allocator_backend": "torch.cuda.get_allocator_backend",
            "get_per_process_memory_fraction": "torch.cuda.get_per_process_memory_fraction",
            "host_memory_stats": "torch.cuda.host_memory_stats",
            "host_memory_stats_as_nested_dict": "torch.cuda.host_memory_stats_as_nested_dict",
            "is_initialized": "torch.cuda.is_initialized", "list_gpu_processes": "torch.cuda.list_gpu_processes",
            "max_memory_allocated": "torch.cuda.max_memory_allocated",
            "max_memory_cached": "torch.cuda.max_memory_cached",
            "max_memory_reserved": "torch.cuda.max_memory_reserved", "mem_get_info": "torch.cuda.mem_get_info",
            "memory_allocated": "torch.cuda.memory_allocated", "memory_cached": "torch.cuda.memory_cached",
            "memory_reserved": "torch.cuda.memory_reserved", "memory_snapshot": "torch.cuda.memory_snapshot",
            "memory_stats": "torch.cuda.memory_stats",
            "memory_stats_as_nested_dict": "torch.cuda.memory_stats_as_nested_dict",
            "memory_summary": "torch.cuda.memory_summary",
            "reset_accumulated_host_memory_stats": "torch.cuda.reset_accumulated_host_memory_stats",
            "reset_accumulated_memory_stats": "torch.cuda.reset_accumulated_memory_stats",
            "reset_max_memory_allocated": "torch.cuda.reset_max_memory_allocated",
            "reset_max_memory_cached": "torch.cuda.reset_max_memory_cached",
            "reset_peak_host_memory_stats": "torch.cuda.reset_peak_host_memory_stats",
            "reset_peak_memory_stats": "torch.cuda.reset_peak_memory_stats",
            "set_per_process_memory_fraction": "torch.cuda.set_per_process_memory_fraction", "torch": "torch",
            "use_mem_pool": "torch.cuda.use_mem_pool",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING is_initialized torch
        """,
    },
    "torch.cuda.nccl": {
        "function": """
            all_gather all_reduce broadcast init_rank is_available reduce reduce_scatter unique_id version
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "SUM": 0,
        },
        "hidden": """
            SUM init_rank is_available torch unique_id version
        """,
    },
    "torch.cuda.nvtx": {
        "function": """
            mark range range_end range_pop range_push range_start
        """,
    },
    "torch.cuda.profiler": {
        "function": """
            profile start stop
        """,
        "alias": {
            "check_error": "torch.cuda.check_error", "cudart": "torch.cuda.cudart",
        },
        "hidden": """
            check_error cudart
        """,
    },
    "torch.cuda.random": {
        "alias": {
            "Tensor": "torch.Tensor", "current_device": "torch.cuda.current_device",
            "device_count": "torch.cuda.device_count", "get_rng_state": "torch.cuda.get_rng_state",
            "get_rng_state_all": "torch.cuda.get_rng_state_all", "initial_seed": "torch.cuda.initial_seed",
            "is_initialized": "torch.cuda.is_initialized", "manual_seed": "torch.cuda.manual_seed",
            "manual_seed_all": "torch.cuda.manual_seed_all", "seed": "torch.cuda.seed",
            "seed_all": "torch.cuda.seed_all", "set_rng_state": "torch.cuda.set_rng_state",
            "set_rng_state_all": "torch.cuda.set_rng_state_all", "torch": "torch",
        },
        "hidden": """
            Tensor current_device device_count is_initialized torch
        """,
    },
    "torch.cuda.sparse": {
        "class": """
            BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor
        """,
    },
    "torch.cuda.streams": {
        "alias": {
            "Event": "torch.cuda.Event", "ExternalStream": "torch.cuda.ExternalStream", "Stream": "torch.cuda.Stream",
            "torch": "torch",
        },
    },
    "torch.cuda.tunable": {
        "function": """
            enable get_filename get_max_tuning_duration get_max_tuning_iterations get_results get_rotating_buffer_size
            get_validators is_enabled mgpu_tune_gemm_in_file read_file record_untuned_enable record_untuned_is_enabled
            set_filename set_max_tuning_duration set_max_tuning_iterations set_numerical_check_tolerances
            set_rotating_buffer_size tune_gemm_in_file tuning_enable tuning_is_enabled
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.distributed": {
        "function": """
            GroupName all_gather all_gather_coalesced all_gather_into_tensor all_gather_object all_gather_single
            all_reduce all_reduce_coalesced all_to_all all_to_all_single barrier batch_isend_irecv breakpoint
            broadcast broadcast_object_list destroy_process_group gather gather_object get_backend get_backend_config
            get_debug_level get_default_backend_for_device get_global_rank get_group_rank get_node_local_rank
            get_pg_count get_process_group_ranks get_rank get_world_size init_device_mesh init_process_group irecv
            is_available is_backend_available is_gloo_available is_initialized is_mpi_available is_nccl_available
            is_torchelastic_launched is_ucc_available is_xccl_available isend monitored_barrier new_group
            new_subgroups new_subgroups_by_enumeration record_comm recv recv_object_list reduce reduce_scatter
            reduce_scatter_single reduce_scatter_tensor register_rendezvous_handler rendezvous scatter
            scatter_object_list send send_object_list set_debug_level set_debug_level_from_env shrink_group
            split_group supports_complex
        """,
        "class": """
            AllToAllOptions AllreduceCoalescedOptions AllreduceOptions Backend BackendConfig BarrierOptions
            BroadcastOptions BuiltinCommHookType DebugLevel DeviceMesh FileStore GatherOptions GradBucket GroupMember
            HashStore Logger P2POp PrefixStore ProcessGroup ProcessGroupGloo ReduceOp ReduceOptions
            ReduceScatterOptions Reducer ScatterOptions Store TCPStore Work group
        """,
        "exception": """
            DistBackendError DistError DistNetworkError DistStoreError QueueEmptyError
        """,
        "module": """
            algorithms autograd c10d_logger config constants device_mesh distributed_c10d fsdp logging_handlers nn
            remote_device rpc tensor utils
        """,
        "object": """
            reduce_op
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.distributions": {
        "function": """
            biject_to identity_transform kl_divergence register_kl transform_to
        """,
        "class": """
            AbsTransform AffineTransform Bernoulli Beta Binomial CatTransform Categorical Cauchy Chi2 ComposeTransform
            ContinuousBernoulli CorrCholeskyTransform CumulativeDistributionTransform Dirichlet Distribution
            ExpTransform Exponential ExponentialFamily FisherSnedecor Gamma GeneralizedPareto Geometric Gumbel
            HalfCauchy HalfNormal Independent IndependentTransform InverseGamma Kumaraswamy LKJCholesky Laplace
            LogNormal LogisticNormal LowRankMultivariateNormal LowerCholeskyTransform MixtureSameFamily Multinomial
            MultivariateNormal NegativeBinomial Normal OneHotCategorical OneHotCategoricalStraightThrough Pareto
            Poisson PositiveDefiniteTransform PowerTransform RelaxedBernoulli RelaxedOneHotCategorical
            ReshapeTransform SigmoidTransform SoftmaxTransform SoftplusTransform StackTransform StickBreakingTransform
            StudentT TanhTransform Transform TransformedDistribution Uniform VonMises Weibull Wishart
        """,
        "module": """
            bernoulli beta binomial categorical cauchy chi2 constraint_registry constraints continuous_bernoulli
            dirichlet distribution exp_family exponential fishersnedecor gamma generalized_pareto geometric gumbel
            half_cauchy half_normal independent inverse_gamma kl kumaraswamy laplace lkj_cholesky log_normal
            logistic_normal lowrank_multivariate_normal mixture_same_family multinomial multivariate_normal
            negative_binomial normal one_hot_categorical pareto poisson relaxed_bernoulli relaxed_categorical studentT
            transformed_distribution transforms uniform utils von_mises weibull wishart
        """,
        "hidden": """
            bernoulli beta binomial categorical cauchy chi2 constraint_registry constraints continuous_bernoulli
            dirichlet distribution exp_family exponential fishersnedecor gamma generalized_pareto geometric gumbel
            half_cauchy half_normal independent inverse_gamma kl kumaraswamy laplace lkj_cholesky log_normal
            logistic_normal lowrank_multivariate_normal mixture_same_family multinomial multivariate_normal
            negative_binomial normal one_hot_categorical pareto poisson relaxed_bernoulli relaxed_categorical studentT
            transformed_distribution transforms uniform utils von_mises weibull wishart
        """,
    },
    "torch.distributions.bernoulli": {
        "alias": {
            "Bernoulli": "torch.distributions.Bernoulli",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor",
            "binary_cross_entropy_with_logits": "torch.nn.functional.binary_cross_entropy_with_logits",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor binary_cross_entropy_with_logits broadcast_all constraints lazy_property
            logits_to_probs nan probs_to_logits torch
        """,
    },
    "torch.distributions.beta": {
        "function": """
            broadcast_all
        """,
        "alias": {
            "Beta": "torch.distributions.Beta", "Dirichlet": "torch.distributions.Dirichlet",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Dirichlet ExponentialFamily Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.binomial": {
        "alias": {
            "Binomial": "torch.distributions.Binomial", "Distribution": "torch.distributions.Distribution",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor broadcast_all constraints lazy_property logits_to_probs probs_to_logits torch
        """,
    },
    "torch.distributions.categorical": {
        "alias": {
            "Categorical": "torch.distributions.Categorical", "Distribution": "torch.distributions.Distribution",
            "Tensor": "torch.Tensor", "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor constraints lazy_property logits_to_probs nan probs_to_logits torch
        """,
    },
    "torch.distributions.cauchy": {
        "alias": {
            "Cauchy": "torch.distributions.Cauchy", "Distribution": "torch.distributions.Distribution",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor broadcast_all constraints inf nan torch
        """,
    },
    "torch.distributions.chi2": {
        "alias": {
            "Chi2": "torch.distributions.Chi2", "Gamma": "torch.distributions.Gamma", "Tensor": "torch.Tensor",
            "constraints": "torch.distributions.constraints",
        },
        "hidden": """
            Gamma Tensor constraints
        """,
    },
    "torch.distributions.constraint_registry": {
        "class": """
            ConstraintRegistry
        """,
        "alias": {
            "biject_to": "torch.distributions.biject_to", "constraints": "torch.distributions.constraints",
            "transform_to": "torch.distributions.transform_to", "transforms": "torch.distributions.transforms",
        },
        "hidden": """
            constraints transforms
        """,
    },
    "torch.distributions.constraints": {
        "function": """
            dependent is_dependent
        """,
        "class": """
            Constraint MixtureSameFamilyConstraint cat dependent_property greater_than greater_than_eq
            half_open_interval independent integer_interval interval less_than multinomial stack
        """,
        "object": """
            boolean corr_cholesky lower_cholesky lower_triangular nonnegative nonnegative_integer one_hot positive
            positive_definite positive_integer positive_semidefinite real real_vector simplex square symmetric
            unit_interval
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.distributions.continuous_bernoulli": {
        "alias": {
            "ContinuousBernoulli": "torch.distributions.ContinuousBernoulli",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor",
            "binary_cross_entropy_with_logits": "torch.nn.functional.binary_cross_entropy_with_logits",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "clamp_probs": "torch.distributions.utils.clamp_probs", "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor binary_cross_entropy_with_logits broadcast_all clamp_probs constraints
            lazy_property logits_to_probs probs_to_logits torch
        """,
    },
    "torch.distributions.dirichlet": {
        "alias": {
            "Dirichlet": "torch.distributions.Dirichlet",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Function": "torch.autograd.Function",
            "Tensor": "torch.Tensor", "constraints": "torch.distributions.constraints",
            "once_differentiable": "torch.autograd.function.once_differentiable", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Function Tensor constraints once_differentiable torch
        """,
    },
    "torch.distributions.distribution": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Tensor": "torch.Tensor",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property", "torch": "torch",
        },
        "hidden": """
            Tensor constraints lazy_property torch
        """,
    },
    "torch.distributions.exp_family": {
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor torch
        """,
    },
    "torch.distributions.exponential": {
        "alias": {
            "Exponential": "torch.distributions.Exponential",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.fishersnedecor": {
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "FisherSnedecor": "torch.distributions.FisherSnedecor", "Gamma": "torch.distributions.Gamma",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Distribution Gamma Tensor broadcast_all constraints nan torch
        """,
    },
    "torch.distributions.gamma": {
        "alias": {
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Gamma": "torch.distributions.Gamma",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.generalized_pareto": {
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "GeneralizedPareto": "torch.distributions.GeneralizedPareto",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Distribution broadcast_all constraints inf nan torch
        """,
    },
    "torch.distributions.geometric": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Geometric": "torch.distributions.Geometric",
            "Tensor": "torch.Tensor",
            "binary_cross_entropy_with_logits": "torch.nn.functional.binary_cross_entropy_with_logits",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor binary_cross_entropy_with_logits broadcast_all constraints lazy_property
            logits_to_probs probs_to_logits torch
        """,
    },
    "torch.distributions.gumbel": {
        "alias": {
            "AffineTransform": "torch.distributions.AffineTransform",
            "ExpTransform": "torch.distributions.ExpTransform", "Gumbel": "torch.distributions.Gumbel",
            "Tensor": "torch.Tensor", "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "Uniform": "torch.distributions.Uniform", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "constant": {
            "euler_constant": 0.5772156649015329,
        },
        "hidden": """
            AffineTransform ExpTransform Tensor TransformedDistribution Uniform broadcast_all constraints
            euler_constant torch
        """,
    },
    "torch.distributions.half_cauchy": {
        "alias": {
            "AbsTransform": "torch.distributions.AbsTransform", "Cauchy": "torch.distributions.Cauchy",
            "HalfCauchy": "torch.distributions.HalfCauchy", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            AbsTransform Cauchy Tensor TransformedDistribution constraints inf torch
        """,
    },
    "torch.distributions.half_normal": {
        "alias": {
            "AbsTransform": "torch.distributions.AbsTransform", "HalfNormal": "torch.distributions.HalfNormal",
            "Normal": "torch.distributions.Normal", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            AbsTransform Normal Tensor TransformedDistribution constraints inf torch
        """,
    },
    "torch.distributions.independent": {
        "object": """
            D
        """,
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Independent": "torch.distributions.Independent",
            "Size": "torch.Size", "Tensor": "torch.Tensor", "constraints": "torch.distributions.constraints",
            "torch": "torch",
        },
        "hidden": """
            D Distribution Size Tensor constraints torch
        """,
    },
    "torch.distributions.inverse_gamma": {
        "alias": {
            "Gamma": "torch.distributions.Gamma", "InverseGamma": "torch.distributions.InverseGamma",
            "PowerTransform": "torch.distributions.PowerTransform", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Gamma PowerTransform Tensor TransformedDistribution constraints torch
        """,
    },
    "torch.distributions.kl": {
        "alias": {
            "Bernoulli": "torch.distributions.Bernoulli", "Beta": "torch.distributions.Beta",
            "Binomial": "torch.distributions.Binomial", "Categorical": "torch.distributions.Categorical",
            "Cauchy": "torch.distributions.Cauchy", "ContinuousBernoulli": "torch.distributions.ContinuousBernoulli",
            "Dirichlet": "torch.distributions.Dirichlet", "Distribution": "torch.distributions.Distribution",
            "Exponential": "torch.distributions.Exponential",
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Gamma": "torch.distributions.Gamma",
            "Geometric": "torch.distributions.Geometric", "Gumbel": "torch.distributions.Gumbel",
            "HalfNormal": "torch.distributions.HalfNormal", "Independent": "torch.distributions.Independent",
            "Laplace": "torch.distributions.Laplace",
            "LowRankMultivariateNormal": "torch.distributions.LowRankMultivariateNormal",
            "MultivariateNormal": "torch.distributions.MultivariateNormal", "Normal": "torch.distributions.Normal",
            "OneHotCategorical": "torch.distributions.OneHotCategorical", "Pareto": "torch.distributions.Pareto",
            "Poisson": "torch.distributions.Poisson", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "Uniform": "torch.distributions.Uniform", "kl_divergence": "torch.distributions.kl_divergence",
            "register_kl": "torch.distributions.register_kl", "torch": "torch",
        },
        "hidden": """
            Bernoulli Beta Binomial Categorical Cauchy ContinuousBernoulli Dirichlet Distribution Exponential
            ExponentialFamily Gamma Geometric Gumbel HalfNormal Independent Laplace LowRankMultivariateNormal
            MultivariateNormal Normal OneHotCategorical Pareto Poisson Tensor TransformedDistribution Uniform inf
            torch
        """,
    },
    "torch.distributions.kumaraswamy": {
        "alias": {
            "AffineTransform": "torch.distributions.AffineTransform",
            "Kumaraswamy": "torch.distributions.Kumaraswamy", "PowerTransform": "torch.distributions.PowerTransform",
            "Tensor": "torch.Tensor", "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "Uniform": "torch.distributions.Uniform", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "constant": {
            "euler_constant": 0.5772156649015329,
        },
        "hidden": """
            AffineTransform PowerTransform Tensor TransformedDistribution Uniform broadcast_all constraints
            euler_constant nan torch
        """,
    },
    "torch.distributions.laplace": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Laplace": "torch.distributions.Laplace",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.lkj_cholesky": {
        "alias": {
            "Beta": "torch.distributions.Beta", "Distribution": "torch.distributions.Distribution",
            "LKJCholesky": "torch.distributions.LKJCholesky", "Tensor": "torch.Tensor",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Beta Distribution Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.log_normal": {
        "alias": {
            "ExpTransform": "torch.distributions.ExpTransform", "LogNormal": "torch.distributions.LogNormal",
            "Normal": "torch.distributions.Normal", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints",
        },
        "hidden": """
            ExpTransform Normal Tensor TransformedDistribution constraints
        """,
    },
    "torch.distributions.logistic_normal": {
        "alias": {
            "Independent": "torch.distributions.Independent", "LogisticNormal": "torch.distributions.LogisticNormal",
            "Normal": "torch.distributions.Normal",
            "StickBreakingTransform": "torch.distributions.StickBreakingTransform", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints",
        },
        "hidden": """
            Independent Normal StickBreakingTransform Tensor TransformedDistribution constraints
        """,
    },
    "torch.distributions.lowrank_multivariate_normal": {
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "LowRankMultivariateNormal": "torch.distributions.LowRankMultivariateNormal", "Tensor": "torch.Tensor",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor constraints lazy_property torch
        """,
    },
    "torch.distributions.mixture_same_family": {
        "alias": {
            "Categorical": "torch.distributions.Categorical", "Distribution": "torch.distributions.Distribution",
            "MixtureSameFamily": "torch.distributions.MixtureSameFamily",
            "MixtureSameFamilyConstraint": "torch.distributions.constraints.MixtureSameFamilyConstraint",
            "Tensor": "torch.Tensor", "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Categorical Distribution MixtureSameFamilyConstraint Tensor constraints torch
        """,
    },
    "torch.distributions.multinomial": {
        "alias": {
            "Binomial": "torch.distributions.Binomial", "Categorical": "torch.distributions.Categorical",
            "Distribution": "torch.distributions.Distribution", "Multinomial": "torch.distributions.Multinomial",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Binomial Categorical Distribution Tensor broadcast_all constraints inf torch
        """,
    },
    "torch.distributions.multivariate_normal": {
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "MultivariateNormal": "torch.distributions.MultivariateNormal", "Tensor": "torch.Tensor",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor constraints lazy_property torch
        """,
    },
    "torch.distributions.negative_binomial": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "F": "torch.nn.functional",
            "Gamma": "torch.distributions.Gamma", "NegativeBinomial": "torch.distributions.NegativeBinomial",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            Distribution F Gamma Tensor broadcast_all constraints lazy_property logits_to_probs probs_to_logits torch
        """,
    },
    "torch.distributions.normal": {
        "alias": {
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Normal": "torch.distributions.Normal",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.one_hot_categorical": {
        "alias": {
            "Categorical": "torch.distributions.Categorical", "Distribution": "torch.distributions.Distribution",
            "OneHotCategorical": "torch.distributions.OneHotCategorical",
            "OneHotCategoricalStraightThrough": "torch.distributions.OneHotCategoricalStraightThrough",
            "Tensor": "torch.Tensor", "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Categorical Distribution Tensor constraints torch
        """,
    },
    "torch.distributions.pareto": {
        "alias": {
            "AffineTransform": "torch.distributions.AffineTransform",
            "ExpTransform": "torch.distributions.ExpTransform", "Exponential": "torch.distributions.Exponential",
            "Pareto": "torch.distributions.Pareto", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
        },
        "hidden": """
            AffineTransform ExpTransform Exponential Tensor TransformedDistribution broadcast_all constraints
        """,
    },
    "torch.distributions.poisson": {
        "alias": {
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Poisson": "torch.distributions.Poisson",
            "Tensor": "torch.Tensor", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor broadcast_all constraints torch
        """,
    },
    "torch.distributions.relaxed_bernoulli": {
        "class": """
            LogitRelaxedBernoulli
        """,
        "alias": {
            "Distribution": "torch.distributions.Distribution",
            "RelaxedBernoulli": "torch.distributions.RelaxedBernoulli",
            "SigmoidTransform": "torch.distributions.SigmoidTransform", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "clamp_probs": "torch.distributions.utils.clamp_probs", "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property",
            "logits_to_probs": "torch.distributions.utils.logits_to_probs",
            "probs_to_logits": "torch.distributions.utils.probs_to_logits", "torch": "torch",
        },
        "hidden": """
            Distribution SigmoidTransform Tensor TransformedDistribution broadcast_all clamp_probs constraints
            lazy_property logits_to_probs probs_to_logits torch
        """,
    },
    "torch.distributions.relaxed_categorical": {
        "class": """
            ExpRelaxedCategorical
        """,
        "alias": {
            "Categorical": "torch.distributions.Categorical", "Distribution": "torch.distributions.Distribution",
            "ExpTransform": "torch.distributions.ExpTransform",
            "RelaxedOneHotCategorical": "torch.distributions.RelaxedOneHotCategorical", "Tensor": "torch.Tensor",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "clamp_probs": "torch.distributions.utils.clamp_probs", "constraints": "torch.distributions.constraints",
            "torch": "torch",
        },
        "hidden": """
            Categorical Distribution ExpTransform Tensor TransformedDistribution broadcast_all clamp_probs constraints
            torch
        """,
    },
    "torch.distributions.studentT": {
        "alias": {
            "Chi2": "torch.distributions.Chi2", "Distribution": "torch.distributions.Distribution",
            "StudentT": "torch.distributions.StudentT", "Tensor": "torch.Tensor",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Chi2 Distribution Tensor broadcast_all constraints inf nan torch
        """,
    },
    "torch.distributions.transformed_distribution": {
        "alias": {
            "ComposeTransform": "torch.distributions.ComposeTransform",
            "Distribution": "torch.distributions.Distribution", "Independent": "torch.distributions.Independent",
            "Tensor": "torch.Tensor", "Transform": "torch.distributions.Transform",
            "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            ComposeTransform Distribution Independent Tensor Transform constraints torch
        """,
    },
    "torch.distributions.transforms": {
        "alias": {
            "AbsTransform": "torch.distributions.AbsTransform",
            "AffineTransform": "torch.distributions.AffineTransform",
            "CatTransform": "torch.distributions.CatTransform",
            "ComposeTransform": "torch.distributions.ComposeTransform",
            "CorrCholeskyTransform": "torch.distributions.CorrCholeskyTransform",
            "CumulativeDistributionTransform": "torch.distributions.CumulativeDistributionTransform",
            "Distribution": "torch.distributions.Distribution", "ExpTransform": "torch.distributions.ExpTransform",
            "F": "torch.nn.functional", "IndependentTransform": "torch.distributions.IndependentTransform",
            "LowerCholeskyTransform": "torch.distributions.LowerCholeskyTransform",
            "PositiveDefiniteTransform": "torch.distributions.PositiveDefiniteTransform",
            "PowerTransform": "torch.distributions.PowerTransform",
            "ReshapeTransform": "torch.distributions.ReshapeTransform",
            "SigmoidTransform": "torch.distributions.SigmoidTransform",
            "SoftmaxTransform": "torch.distributions.SoftmaxTransform",
            "SoftplusTransform": "torch.distributions.SoftplusTransform",
            "StackTransform": "torch.distributions.StackTransform",
            "StickBreakingTransform": "torch.distributions.StickBreakingTransform",
            "TanhTransform": "torch.distributions.TanhTransform", "Tensor": "torch.Tensor",
            "Transform": "torch.distributions.Transform", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "identity_transform": "torch.distributions.identity_transform",
            "lazy_property": "torch.distributions.utils.lazy_property", "pad": "torch.nn.functional.pad",
            "softplus": "torch.nn.functional.softplus", "torch": "torch",
            "tril_matrix_to_vec": "torch.distributions.utils.tril_matrix_to_vec",
            "vec_to_tril_matrix": "torch.distributions.utils.vec_to_tril_matrix",
        },
        "hidden": """
            Distribution F Tensor broadcast_all constraints lazy_property pad softplus torch tril_matrix_to_vec
            vec_to_tril_matrix
        """,
    },
    "torch.distributions.uniform": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Tensor": "torch.Tensor",
            "Uniform": "torch.distributions.Uniform", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor broadcast_all constraints nan torch
        """,
    },
    "torch.distributions.utils": {
        "function": """
            clamp_probs logits_to_probs probs_to_logits tril_matrix_to_vec vec_to_tril_matrix
        """,
        "class": """
            lazy_property
        """,
        "object": """
            R T
        """,
        "alias": {
            "F": "torch.nn.functional", "SymInt": "torch.SymInt", "Tensor": "torch.Tensor",
            "broadcast_all": "torch.distributions.beta.broadcast_all",
            "is_tensor_like": "torch.autograd.is_tensor_like", "torch": "torch",
        },
        "constant": {
            "euler_constant": 0.5772156649015329,
        },
        "hidden": """
            F R SymInt T Tensor euler_constant is_tensor_like torch
        """,
    },
    "torch.distributions.von_mises": {
        "alias": {
            "Distribution": "torch.distributions.Distribution", "Tensor": "torch.Tensor",
            "VonMises": "torch.distributions.VonMises", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property", "torch": "torch",
        },
        "hidden": """
            Distribution Tensor broadcast_all constraints lazy_property torch
        """,
    },
    "torch.distributions.weibull": {
        "alias": {
            "AffineTransform": "torch.distributions.AffineTransform",
            "Exponential": "torch.distributions.Exponential", "PowerTransform": "torch.distributions.PowerTransform",
            "Tensor": "torch.Tensor", "TransformedDistribution": "torch.distributions.TransformedDistribution",
            "Weibull": "torch.distributions.Weibull", "broadcast_all": "torch.distributions.beta.broadcast_all",
            "constraints": "torch.distributions.constraints", "torch": "torch",
        },
        "constant": {
            "euler_constant": 0.5772156649015329,
        },
        "hidden": """
            AffineTransform Exponential PowerTransform Tensor TransformedDistribution broadcast_all constraints
            euler_constant torch
        """,
    },
    "torch.distributions.wishart": {
        "alias": {
            "ExponentialFamily": "torch.distributions.ExponentialFamily", "Tensor": "torch.Tensor",
            "Wishart": "torch.distributions.Wishart", "constraints": "torch.distributions.constraints",
            "lazy_property": "torch.distributions.utils.lazy_property", "torch": "torch",
        },
        "hidden": """
            ExponentialFamily Tensor constraints lazy_property nan torch
        """,
    },
    "torch.export": {
        "function": """
            default_decompositions dims draft_export export load register_dataclass save unflatten
        """,
        "class": """
            AdditionalInputs CustomDecompTable Dim ExportBackwardSignature ExportGraphSignature ExportedProgram
            FlatArgsAdapter ModuleCallEntry ModuleCallSignature PassResult ShapesCollection
        """,
        "layer": """
            UnflattenedModule
        """,
        "module": """
            custom_ops decomp_utils dynamic_shapes exported_program graph_signature
        """,
        "alias": {
            "pytree": "torch.utils._pytree", "torch": "torch",
        },
        "constant": {
            "DEFAULT_PICKLE_PROTOCOL": 2,
        },
        "hidden": """
            DEFAULT_PICKLE_PROTOCOL PassResult custom_ops decomp_utils dynamic_shapes exported_program graph_signature
            pytree torch
        """,
    },
    "torch.fft": {
        "function": """
            fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft
            irfft2 irfftn rfft rfft2 rfftfreq rfftn
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            hfft2 hfftn ihfft2 ihfftn torch
        """,
    },
    "torch.func": {
        "function": """
            debug_unwrap functional_call functionalize grad grad_and_value hessian jacfwd jacrev jvp linearize
            rearrange replace_all_batch_norm_modules_ stack_module_state vjp
        """,
        "alias": {
            "vmap": "torch.vmap",
        },
    },
    "torch.functional": {
        "function": """
            boolean_dispatch overload
        """,
        "alias": {
            "F": "torch.nn.functional", "Tensor": "torch.Tensor", "atleast_1d": "torch.atleast_1d",
            "atleast_2d": "torch.atleast_2d", "atleast_3d": "torch.atleast_3d", "block_diag": "torch.block_diag",
            "broadcast_shapes": "torch.broadcast_shapes", "broadcast_tensors": "torch.broadcast_tensors",
            "cartesian_prod": "torch.cartesian_prod", "cdist": "torch.cdist", "chain_matmul": "torch.chain_matmul",
            "einsum": "torch.einsum", "handle_torch_function": "torch.autograd.handle_torch_function",
            "has_torch_function": "torch.autograd.has_torch_function",
            "has_torch_function_unary": "torch.overrides.has_torch_function_unary",
            "has_torch_function_variadic": "torch.overrides.has_torch_function_variadic", "istft": "torch.istft",
            "lu": "torch.lu", "meshgrid": "torch.meshgrid", "norm": "torch.norm", "pca_lowrank": "torch.pca_lowrank",
            "split": "torch.split", "stft": "torch.stft", "svd_lowrank": "torch.svd_lowrank",
            "tensordot": "torch.tensordot", "torch": "torch", "unique": "torch.unique",
            "unique_consecutive": "torch.unique_consecutive", "unravel_index": "torch.unravel_index",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            F TYPE_CHECKING Tensor boolean_dispatch handle_torch_function has_torch_function has_torch_function_unary
            has_torch_function_variadic overload torch
        """,
    },
    "torch.futures": {
        "function": """
            collect_all wait_all
        """,
        "object": """
            S T
        """,
        "alias": {
            "Future": "torch.jit.Future", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            S T TYPE_CHECKING torch
        """,
    },
    "torch.fx": {
        "function": """
            has_side_effect map_arg replace_pattern symbolic_trace wrap
        """,
        "class": """
            CodeGen Graph Interpreter Node Proxy ProxyableClassMeta Tracer Transformer
        """,
        "layer": """
            GraphModule
        """,
        "module": """
            config experimental graph graph_module immutable_collections interpreter node operator_schemas passes
            proxy subgraph_rewriter tensor_type traceback
        """,
        "object": """
            PH
        """,
        "hidden": """
            CodeGen PH ProxyableClassMeta config experimental graph graph_module immutable_collections interpreter
            node operator_schemas passes proxy subgraph_rewriter tensor_type traceback
        """,
    },
    "torch.hub": {
        "function": """
            download_url_to_file get_dir help list load load_state_dict_from_url set_dir
        """,
        "class": """
            tqdm
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "ENV_GITHUB_TOKEN": "GITHUB_TOKEN", "ENV_TORCH_HOME": "TORCH_HOME",
            "ENV_XDG_CACHE_HOME": "XDG_CACHE_HOME", "MODULE_HUBCONF": "hubconf.py", "READ_DATA_CHUNK": 131072,
            "VAR_DEPENDENCY": "dependencies",
        },
        "hidden": """
            DEFAULT_CACHE_DIR ENV_GITHUB_TOKEN ENV_TORCH_HOME ENV_XDG_CACHE_HOME MODULE_HUBCONF READ_DATA_CHUNK
            VAR_DEPENDENCY torch tqdm
        """,
    },
    "torch.jit": {
        "function": """
            annotate enable_onednn_fusion export export_opnames fork freeze fuser ignore interface is_scripting
            is_tracing isinstance jit_module_from_flatbuffer last_executed_optimized_graph load onednn_fusion_enabled
            optimize_for_inference optimized_execution run_frozen_optimizations save save_jit_module_to_flatbuffer
            script script_if_tracing script_method set_fusion_strategy set_module trace trace_module unused wait
        """,
        "class": """
            Attribute Future RecursiveScriptClass strict_fusion
        """,
        "layer": """
            ONNXTracedModule RecursiveScriptModule ScriptModule TopLevelTracedModule TracedModule
        """,
        "exception": """
            ScriptWarning TracerWarning TracingCheckError
        """,
        "module": """
            annotations frontend
        """,
        "alias": {
            "CompilationUnit": "torch.CompilationUnit", "Error": "torch.JITException",
            "ScriptFunction": "torch.ScriptFunction", "torch": "torch",
        },
        "hidden": """
            ONNXTracedModule RecursiveScriptClass RecursiveScriptModule ScriptWarning TopLevelTracedModule
            TracedModule TracerWarning TracingCheckError annotations frontend fuser is_scripting is_tracing
            jit_module_from_flatbuffer last_executed_optimized_graph optimized_execution run_frozen_optimizations
            save_jit_module_to_flatbuffer script_method set_module torch
        """,
    },
    "torch.library": {
        "function": """
            custom_op define fallthrough_kernel get_ctx get_kernel impl impl_abstract infer_schema opcheck
            register_autocast register_autograd register_fake register_kernel register_torch_dispatch register_vmap
            triton_op wrap_triton
        """,
        "class": """
            CustomOpDef EffectType Library OpOverload
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            CustomOpDef EffectType OpOverload TYPE_CHECKING opcheck register_autograd register_kernel torch
        """,
    },
    "torch.linalg": {
        "function": """
            cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv inv_ex
            ldl_factor ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul matrix_exp matrix_norm
            matrix_power matrix_rank multi_dot norm pinv qr slogdet solve solve_ex solve_triangular svd svdvals
            tensorinv tensorsolve vander vecdot vector_norm
        """,
        "exception": """
            LinAlgError
        """,
    },
    "torch.masked": {
        "function": """
            amax amin argmax argmin as_masked_tensor cumprod cumsum is_masked_tensor log_softmax logaddexp logsumexp
            masked_tensor mean median norm normalize prod softmax softmin std sum var
        """,
        "class": """
            MaskedTensor
        """,
        "module": """
            maskedtensor
        """,
        "hidden": """
            maskedtensor
        """,
    },
    "torch.monitor": {
        "function": """
            log_event register_event_handler unregister_event_handler
        """,
        "class": """
            Aggregation Event EventHandlerHandle Stat TensorboardEventHandler data_value_t
        """,
        "object": """
            COUNT MAX MEAN MIN SUM VALUE
        """,
        "constant": {
            "STAT_EVENT": "torch.monitor.Stat", "TYPE_CHECKING": False,
        },
    },
    "torch.mps": {
        "function": """
            compile_shader current_allocated_memory device_count driver_allocated_memory empty_cache get_rng_state
            is_available load_metallib manual_seed recommended_max_memory seed set_per_process_memory_fraction
            set_rng_state synchronize
        """,
        "class": """
            Event
        """,
        "module": """
            event profiler
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            Tensor event torch
        """,
    },
    "torch.mtia": {
        "function": """
            attach_out_of_memory_observer current_device current_stream default_stream device_count empty_cache
            get_device_capability get_device_properties get_rng_state get_rng_state_all graph_pool_handle init
            initial_seed is_available is_bf16_supported is_fbcode is_initialized is_prod manual_seed manual_seed_all
            max_memory_allocated memory_allocated memory_stats record_memory_history reset_peak_memory_stats seed
            seed_all set_device set_rng_state set_rng_state_all set_stream snapshot stream synchronize
        """,
        "class": """
            MTIAGraph StreamContext device graph
        """,
        "exception": """
            DeferredMtiaCallError
        """,
        "module": """
            memory mtia_graph
        """,
        "alias": {
            "Event": "torch.Event", "Stream": "torch.Stream", "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            DeferredMtiaCallError Event Stream StreamContext Tensor is_fbcode is_prod memory mtia_graph torch
        """,
    },
    "torch.multiprocessing": {
        "function": """
            get_all_sharing_strategies get_sharing_strategy init_reductions set_sharing_strategy spawn start_processes
        """,
        "class": """
            ProcessContext SpawnContext
        """,
        "exception": """
            ProcessExitedException ProcessRaisedException
        """,
        "module": """
            reductions
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "ENV_VAR_PARALLEL_START": "TORCH_MP_PARALLEL_START",
        },
        "hidden": """
            ENV_VAR_PARALLEL_START ProcessContext ProcessExitedException ProcessRaisedException SpawnContext
            init_reductions reductions spawn start_processes torch
        """,
    },
    "torch.nativert": {
    },
    "torch.nested": {
        "function": """
            as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged to_padded_tensor
        """,
        "alias": {
            "DType": "torch.dtype", "Device": "torch.device", "F": "torch.nn.functional", "SymInt": "torch.SymInt",
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            DType Device F SymInt Tensor torch
        """,
    },
    "torch.nn": {
        "function": """
            factory_kwargs
        """,
        "class": """
            Buffer LinearCrossEntropyOptions Parameter UninitializedBuffer UninitializedParameter
        """,
        "layer": """
            AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d
            AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss
            BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU CTCLoss ChannelShuffle CircularPad1d CircularPad2d
            CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d
            ConvTranspose2d ConvTranspose3d CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss CrossMapLRN2d
            DataParallel Dropout Dropout1d Dropout2d Dropout3d ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten
            Fold FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm Hardshrink
            Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d InstanceNorm2d
            InstanceNorm3d KLDivLoss L1Loss LPPool1d LPPool2d LPPool3d LSTM LSTMCell LayerNorm LazyBatchNorm1d
            LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d
            LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear LeakyReLU Linear
            LinearCrossEntropyLoss LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d
            MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList
            MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU
            PairwiseDistance ParameterDict ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm RNN
            RNNBase RNNCell RNNCellBase RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReflectionPad3d
            ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid SmoothL1Loss
            SoftMarginLoss Softmax Softmax2d Softmin Softplus Softshrink Softsign SyncBatchNorm Tanh Tanhshrink
            Threshold Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder
            TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss Unflatten Unfold Upsample
            UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d
        """,
        "module": """
            attention backends common_types cpp functional grad init intrinsic modules parallel parameter qat
            quantizable quantized utils
        """,
    },
    "torch.nn.attention": {
        "function": """
            activate_flash_attention_impl can_use_efficient_attention can_use_flash_attention
            current_flash_attention_impl list_flash_attention_impls register_flash_attention_impl
            restore_flash_attention_impl sdpa_kernel
        """,
        "class": """
            SDPAParams SDPBackend
        """,
        "module": """
            bias experimental flex_attention varlen
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "WARN_FOR_UNFUSED_KERNELS": False,
        },
        "hidden": """
            SDPAParams bias can_use_efficient_attention can_use_flash_attention experimental flex_attention torch
            varlen
        """,
    },
    "torch.nn.attention.bias": {
        "function": """
            causal_lower_right causal_upper_left
        """,
        "class": """
            CausalBias CausalVariant
        """,
        "alias": {
            "F": "torch.nn.functional", "SDPAParams": "torch.nn.attention.SDPAParams",
            "can_use_efficient_attention": "torch.nn.attention.can_use_efficient_attention",
            "can_use_flash_attention": "torch.nn.attention.can_use_flash_attention",
            "is_flash_attention_available": "torch.backends.cuda.is_flash_attention_available", "torch": "torch",
        },
        "hidden": """
            F SDPAParams can_use_efficient_attention can_use_flash_attention is_flash_attention_available torch
        """,
    },
    "torch.nn.attention.experimental": {
    },
    "torch.nn.attention.flex_attention": {
        "function": """
            and_masks create_block_mask create_mask flex_attention flex_attention_hop noop_mask or_masks
            setup_compilation_env tree_map_only
        """,
        "class": """
            AuxOutput AuxRequest BlockMask FlexKernelOptions GetAttrKey TreeSpec
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch", "tree_flatten": "torch.utils.flop_counter.tree_flatten",
            "tree_unflatten": "torch.utils.flop_counter.tree_unflatten",
        },
        "hidden": """
            GetAttrKey Tensor TreeSpec flex_attention_hop setup_compilation_env torch tree_flatten tree_map_only
            tree_unflatten
        """,
    },
    "torch.nn.attention.varlen": {
        "function": """
            varlen_attn varlen_attn_out
        """,
        "class": """
            AuxRequest
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.nn.backends": {
        "module": """
            thnn
        """,
    },
    "torch.nn.backends.thnn": {
    },
    "torch.nn.common_types": {
        "object": """
            T
        """,
        "alias": {
            "Tensor": "torch.Tensor",
        },
    },
    "torch.nn.cpp": {
        "class": """
            OrderedDictWrapper
        """,
        "layer": """
            ModuleWrapper
        """,
        "alias": {
            "nn": "torch.nn",
        },
    },
    "torch.nn.functional": {
        "function": """
            adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices
            adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices
            affine_grid alpha_dropout assert_int_or_pair avg_pool2d avg_pool3d batch_norm binary_cross_entropy
            binary_cross_entropy_with_logits celu cosine_embedding_loss cross_entropy ctc_loss dropout dropout1d
            dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold fractional_max_pool2d
            fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices
            gaussian_nll_loss gelu glu grid_sample group_norm grouped_mm gumbel_softmax hardsigmoid hardswish hardtanh
            hardtanh_ hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu
            leaky_relu_ linear linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d
            lp_pool3d margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices
            max_pool3d max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss
            multi_head_attention_forward multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss nll_loss
            normalize one_hot pad poisson_nll_loss relu relu6 rms_norm rrelu scaled_dot_product_attention
            scaled_grouped_mm scaled_mm selu sigmoid silu smooth_l1_loss soft_margin_loss softmax softmin softplus
            softshrink softsign tanh tanhshrink threshold triplet_margin_loss triplet_margin_with_distance_loss unfold
            upsample upsample_bilinear upsample_nearest
        """,
        "class": """
            ScalingType SwizzleType
        """,
        "object": """
            BroadcastingList1
        """,
        "alias": {
            "BroadcastingList2": "torch.nn.functional.BroadcastingList1",
            "BroadcastingList3": "torch.nn.functional.BroadcastingList1", "Tensor": "torch.Tensor",
            "adaptive_avg_pool1d": "torch.adaptive_avg_pool1d", "avg_pool1d": "torch.avg_pool1d",
            "bilinear": "torch.bilinear", "boolean_dispatch": "torch.functional.boolean_dispatch",
            "celu_": "torch.celu_", "channel_shuffle": "torch.channel_shuffle", "conv1d": "torch.conv1d",
            "conv2d": "torch.conv2d", "conv3d": "torch.conv3d", "conv_tbc": "torch.conv_tbc",
            "conv_transpose1d": "torch.conv_transpose1d", "conv_transpose2d": "torch.conv_transpose2d",
            "conv_transpose3d": "torch.conv_transpose3d", "cosine_similarity": "torch.cosine_similarity",
            "grad": "torch.nn.grad", "handle_torch_function": "torch.autograd.handle_torch_function",
            "hardshrink": "torch.hardshrink", "has_torch_function": "torch.autograd.has_torch_function",
            "has_torch_function_unary": "torch.overrides.has_torch_function_unary",
            "has_torch_function_variadic": "torch.overrides.has_torch_function_variadic",
            "native_channel_shuffle": "torch.native_channel_shuffle", "pairwise_distance": "torch.pairwise_distance",
            "pdist": "torch.pdist", "pixel_shuffle": "torch.pixel_shuffle",
            "pixel_unshuffle": "torch.pixel_unshuffle", "prelu": "torch.prelu", "relu_": "torch.relu_",
            "rrelu_": "torch.rrelu_", "selu_": "torch.selu_", "threshold_": "torch.threshold_", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
    },
    "torch.nn.grad": {
        "function": """
            conv1d_input conv1d_weight conv2d_input conv2d_weight conv3d_input conv3d_weight
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.nn.init": {
        "function": """
            calculate_gain constant constant_ dirac dirac_ eye eye_ kaiming_normal kaiming_normal_ kaiming_uniform
            kaiming_uniform_ normal normal_ ones_ orthogonal orthogonal_ sparse sparse_ trunc_normal_ uniform uniform_
            xavier_normal xavier_normal_ xavier_uniform xavier_uniform_ zeros_
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            Tensor torch
        """,
    },
    "torch.nn.intrinsic": {
        "layer": """
            BNReLU2d BNReLU3d ConvBn1d ConvBn2d ConvBn3d ConvBnReLU1d ConvBnReLU2d ConvBnReLU3d ConvReLU1d ConvReLU2d
            ConvReLU3d LinearBn1d LinearReLU
        """,
        "module": """
            modules qat quantized
        """,
        "hidden": """
            modules qat quantized
        """,
    },
    "torch.nn.intrinsic.modules": {
        "module": """
            fused
        """,
        "alias": {
            "BNReLU2d": "torch.nn.intrinsic.BNReLU2d", "BNReLU3d": "torch.nn.intrinsic.BNReLU3d",
            "ConvBn1d": "torch.nn.intrinsic.ConvBn1d", "ConvBn2d": "torch.nn.intrinsic.ConvBn2d",
            "ConvBn3d": "torch.nn.intrinsic.ConvBn3d", "ConvBnReLU1d": "torch.nn.intrinsic.ConvBnReLU1d",
            "ConvBnReLU2d": "torch.nn.intrinsic.ConvBnReLU2d", "ConvBnReLU3d": "torch.nn.intrinsic.ConvBnReLU3d",
            "ConvReLU1d": "torch.nn.intrinsic.ConvReLU1d", "ConvReLU2d": "torch.nn.intrinsic.ConvReLU2d",
            "ConvReLU3d": "torch.nn.intrinsic.ConvReLU3d", "LinearBn1d": "torch.nn.intrinsic.LinearBn1d",
            "LinearReLU": "torch.nn.intrinsic.LinearReLU",
        },
        "hidden": """
            fused
        """,
    },
    "torch.nn.intrinsic.qat": {
        "function": """
            freeze_bn_stats update_bn_stats
        """,
        "layer": """
            ConvBn1d ConvBn2d ConvBn3d ConvBnReLU1d ConvBnReLU2d ConvBnReLU3d ConvReLU1d ConvReLU2d ConvReLU3d
            LinearBn1d LinearReLU
        """,
        "module": """
            modules
        """,
    },
    "torch.nn.intrinsic.quantized": {
        "layer": """
            BNReLU2d BNReLU3d ConvReLU1d ConvReLU2d ConvReLU3d LinearReLU
        """,
        "module": """
            dynamic modules
        """,
        "hidden": """
            dynamic modules
        """,
    },
    "torch.nn.modules": {
        "module": """
            activation adaptive batchnorm channelshuffle container conv distance dropout flatten fold instancenorm
            lazy linear linear_cross_entropy linear_cross_entropy_options loss module normalization padding
            pixelshuffle pooling rnn sparse transformer upsampling utils
        """,
        "alias": {
            "AdaptiveAvgPool1d": "torch.nn.AdaptiveAvgPool1d", "AdaptiveAvgPool2d": "torch.nn.AdaptiveAvgPool2d",
            "AdaptiveAvgPool3d": "torch.nn.AdaptiveAvgPool3d",
            "AdaptiveLogSoftmaxWithLoss": "torch.nn.AdaptiveLogSoftmaxWithLoss",
            "AdaptiveMaxPool1d": "torch.nn.AdaptiveMaxPool1d", "AdaptiveMaxPool2d": "torch.nn.AdaptiveMaxPool2d",
            "AdaptiveMaxPool3d": "torch.nn.AdaptiveMaxPool3d", "AlphaDropout": "torch.nn.AlphaDropout",
            "AvgPool1d": "torch.nn.AvgPool1d", "AvgPool2d": "torch.nn.AvgPool2d", "AvgPool3d": "torch.nn.AvgPool3d",
            "BCELoss": "torch.nn.BCELoss", "BCEWithLogitsLoss": "torch.nn.BCEWithLogitsLoss",
            "BatchNorm1d": "torch.nn.BatchNorm1d", "BatchNorm2d": "torch.nn.BatchNorm2d",
            "BatchNorm3d": "torch.nn.BatchNorm3d", "Bilinear": "torch.nn.Bilinear", "CELU": "torch.nn.CELU",
            "CTCLoss": "torch.nn.CTCLoss", "ChannelShuffle": "torch.nn.ChannelShuffle",
            "CircularPad1d": "torch.nn.CircularPad1d", "CircularPad2d": "torch.nn.CircularPad2d",
            "CircularPad3d": "torch.nn.CircularPad3d", "ConstantPad1d": "torch.nn.ConstantPad1d",
            "ConstantPad2d": "torch.nn.ConstantPad2d", "ConstantPad3d": "torch.nn.ConstantPad3d",
            "Container": "torch.nn.Container", "Conv1d": "torch.nn.Conv1d", "Conv2d": "torch.nn.Conv2d",
            "Conv3d": "torch.nn.Conv3d", "ConvTranspose1d": "torch.nn.ConvTranspose1d",
            "ConvTranspose2d": "torch.nn.ConvTranspose2d", "ConvTranspose3d": "torch.nn.ConvTranspose3d",
            "CosineEmbeddingLoss": "torch.nn.CosineEmbeddingLoss", "CosineSimilarity": "torch.nn.CosineSimilarity",
            "CrossEntropyLoss": "torch.nn.CrossEntropyLoss", "CrossMapLRN2d": "torch.nn.CrossMapLRN2d",
            "Dropout": "torch.nn.Dropout", "Dropout1d": "torch.nn.Dropout1d", "Dropout2d": "torch.nn.Dropout2d",
            "Dropout3d": "torch.nn.Dropout3d", "ELU": "torch.nn.ELU", "Embedding": "torch.nn.Embedding",
            "EmbeddingBag": "torch.nn.EmbeddingBag", "FeatureAlphaDropout": "torch.nn.FeatureAlphaDropout",
            "Flatten": "torch.nn.Flatten", "Fold": "torch.nn.Fold",
            "FractionalMaxPool2d": "torch.nn.FractionalMaxPool2d",
            "FractionalMaxPool3d": "torch.nn.FractionalMaxPool3d", "GELU": "torch.nn.GELU", "GLU": "torch.nn.GLU",
            "GRU": "torch.nn.GRU", "GRUCell": "torch.nn.GRUCell", "GaussianNLLLoss": "torch.nn.GaussianNLLLoss",
            "GroupNorm": "torch.nn.GroupNorm", "Hardshrink": "torch.nn.Hardshrink",
            "Hardsigmoid": "torch.nn.Hardsigmoid", "Hardswish": "torch.nn.Hardswish", "Hardtanh": "torch.nn.Hardtanh",
            "HingeEmbeddingLoss": "torch.nn.HingeEmbeddingLoss", "HuberLoss": "torch.nn.HuberLoss",
            "Identity": "torch.nn.Identity", "InstanceNorm1d": "torch.nn.InstanceNorm1d",
            "InstanceNorm2d": "torch.nn.InstanceNorm2d", "InstanceNorm3d": "torch.nn.InstanceNorm3d",
            "KLDivLoss": "torch.nn.KLDivLoss", "L1Loss": "torch.nn.L1Loss", "LPPool1d": "torch.nn.LPPool1d",
            "LPPool2d": "torch.nn.LPPool2d", "LPPool3d": "torch.nn.LPPool3d", "LSTM": "torch.nn.LSTM",
            "LSTMCell": "torch.nn.LSTMCell", "LayerNorm": "torch.nn.LayerNorm",
            "LazyBatchNorm1d": "torch.nn.LazyBatchNorm1d", "LazyBatchNorm2d": "torch.nn.LazyBatchNorm2d",
            "LazyBatchNorm3d": "torch.nn.LazyBatchNorm3d", "LazyConv1d": "torch.nn.LazyConv1d",
            "LazyConv2d": "torch.nn.LazyConv2d", "LazyConv3d": "torch.nn.LazyConv3d",
            "LazyConvTranspose1d": "torch.nn.LazyConvTranspose1d",
            "LazyConvTranspose2d": "torch.nn.LazyConvTranspose2d",
            "LazyConvTranspose3d": "torch.nn.LazyConvTranspose3d",
            "LazyInstanceNorm1d": "torch.nn.LazyInstanceNorm1d", "LazyInstanceNorm2d": "torch.nn.LazyInstanceNorm2d",
            "LazyInstanceNorm3d": "torch.nn.LazyInstanceNorm3d", "LazyLinear": "torch.nn.LazyLinear",
            "LeakyReLU": "torch.nn.LeakyReLU", "Linear": "torch.nn.Linear",
            "LinearCrossEntropyLoss": "torch.nn.LinearCrossEntropyLoss",
            "LinearCrossEntropyOptions": "torch.nn.LinearCrossEntropyOptions",
            "LocalResponseNorm": "torch.nn.LocalResponseNorm", "LogSigmoid": "torch.nn.LogSigmoid",
            "LogSoftmax": "torch.nn.LogSoftmax", "MSELoss": "torch.nn.MSELoss",
            "MarginRankingLoss": "torch.nn.MarginRankingLoss", "MaxPool1d": "torch.nn.MaxPool1d",
            "MaxPool2d": "torch.nn.MaxPool2d", "MaxPool3d": "torch.nn.MaxPool3d",
            "MaxUnpool1d": "torch.nn.MaxUnpool1d", "MaxUnpool2d": "torch.nn.MaxUnpool2d",
            "MaxUnpool3d": "torch.nn.MaxUnpool3d", "Mish": "torch.nn.Mish", "Module": "torch.nn.Module",
            "ModuleDict": "torch.nn.ModuleDict", "ModuleList": "torch.nn.ModuleList",
            "MultiLabelMarginLoss": "torch.nn.MultiLabelMarginLoss",
            "MultiLabelSoftMarginLoss": "torch.nn.MultiLabelSoftMarginLoss",
            "MultiMarginLoss": "torch.nn.MultiMarginLoss", "MultiheadAttention": "torch.nn.MultiheadAttention",
            "NLLLoss": "torch.nn.NLLLoss", "NLLLoss2d": "torch.nn.NLLLoss2d", "PReLU": "torch.nn.PReLU",
            "PairwiseDistance": "torch.nn.PairwiseDistance", "ParameterDict": "torch.nn.ParameterDict",
            "ParameterList": "torch.nn.ParameterList", "PixelShuffle": "torch.nn.PixelShuffle",
            "PixelUnshuffle": "torch.nn.PixelUnshuffle", "PoissonNLLLoss": "torch.nn.PoissonNLLLoss",
            "RMSNorm": "torch.nn.RMSNorm", "RNN": "torch.nn.RNN", "RNNBase": "torch.nn.RNNBase",
            "RNNCell": "torch.nn.RNNCell", "RNNCellBase": "torch.nn.RNNCellBase", "RReLU": "torch.nn.RReLU",
            "ReLU": "torch.nn.ReLU", "ReLU6": "torch.nn.ReLU6", "ReflectionPad1d": "torch.nn.ReflectionPad1d",
            "ReflectionPad2d": "torch.nn.ReflectionPad2d", "ReflectionPad3d": "torch.nn.ReflectionPad3d",
            "ReplicationPad1d": "torch.nn.ReplicationPad1d", "ReplicationPad2d": "torch.nn.ReplicationPad2d",
            "ReplicationPad3d": "torch.nn.ReplicationPad3d", "SELU": "torch.nn.SELU",
            "Sequential": "torch.nn.Sequential", "SiLU": "torch.nn.SiLU", "Sigmoid": "torch.nn.Sigmoid",
            "SmoothL1Loss": "torch.nn.SmoothL1Loss", "SoftMarginLoss": "torch.nn.SoftMarginLoss",
            "Softmax": "torch.nn.Softmax", "Softmax2d": "torch.nn.Softmax2d", "Softmin": "torch.nn.Softmin",
            "Softplus": "torch.nn.Softplus", "Softshrink": "torch.nn.Softshrink", "Softsign": "torch.nn.Softsign",
            "SyncBatchNorm": "torch.nn.SyncBatchNorm", "Tanh": "torch.nn.Tanh", "Tanhshrink": "torch.nn.Tanhshrink",
            "Threshold": "torch.nn.Threshold", "Transformer": "torch.nn.Transformer",
            "TransformerDecoder": "torch.nn.TransformerDecoder",
            "TransformerDecoderLayer": "torch.nn.TransformerDecoderLayer",
            "TransformerEncoder": "torch.nn.TransformerEncoder",
            "TransformerEncoderLayer": "torch.nn.TransformerEncoderLayer",
            "TripletMarginLoss": "torch.nn.TripletMarginLoss",
            "TripletMarginWithDistanceLoss": "torch.nn.TripletMarginWithDistanceLoss",
            "Unflatten": "torch.nn.Unflatten", "Unfold": "torch.nn.Unfold", "Upsample": "torch.nn.Upsample",
            "UpsamplingBilinear2d": "torch.nn.UpsamplingBilinear2d",
            "UpsamplingNearest2d": "torch.nn.UpsamplingNearest2d", "ZeroPad1d": "torch.nn.ZeroPad1d",
            "ZeroPad2d": "torch.nn.ZeroPad2d", "ZeroPad3d": "torch.nn.ZeroPad3d",
        },
        "hidden": """
            activation adaptive batchnorm channelshuffle container conv distance dropout flatten fold instancenorm
            lazy linear linear_cross_entropy linear_cross_entropy_options loss module normalization padding
            pixelshuffle pooling rnn sparse transformer upsampling utils
        """,
    },
    "torch.nn.modules._functions": {
        "class": """
            BackwardHookFunction CrossMapLRN2d
        """,
        "alias": {
            "Function": "torch.autograd.Function", "SyncBatchNorm": "torch.nn.modules.batchnorm.sync_batch_norm",
            "dist": "torch.distributed", "torch": "torch",
        },
    },
    "torch.nn.modules.activation": {
        "alias": {
            "CELU": "torch.nn.CELU", "ELU": "torch.nn.ELU", "F": "torch.nn.functional", "GELU": "torch.nn.GELU",
            "GLU": "torch.nn.GLU", "Hardshrink": "torch.nn.Hardshrink", "Hardsigmoid": "torch.nn.Hardsigmoid",
            "Hardswish": "torch.nn.Hardswish", "Hardtanh": "torch.nn.Hardtanh", "LeakyReLU": "torch.nn.LeakyReLU",
            "LogSigmoid": "torch.nn.LogSigmoid", "LogSoftmax": "torch.nn.LogSoftmax", "Mish": "torch.nn.Mish",
            "Module": "torch.nn.Module", "MultiheadAttention": "torch.nn.MultiheadAttention",
            "NonDynamicallyQuantizableLinear": "torch.nn.modules.linear.NonDynamicallyQuantizableLinear",
            "PReLU": "torch.nn.PReLU", "Parameter": "torch.nn.Parameter", "RReLU": "torch.nn.RReLU",
            "ReLU": "torch.nn.ReLU", "ReLU6": "torch.nn.ReLU6", "SELU": "torch.nn.SELU", "SiLU": "torch.nn.SiLU",
            "Sigmoid": "torch.nn.Sigmoid", "Softmax": "torch.nn.Softmax", "Softmax2d": "torch.nn.Softmax2d",
            "Softmin": "torch.nn.Softmin", "Softplus": "torch.nn.Softplus", "Softshrink": "torch.nn.Softshrink",
            "Softsign": "torch.nn.Softsign", "Tanh": "torch.nn.Tanh", "Tanhshrink": "torch.nn.Tanhshrink",
            "Tensor": "torch.Tensor", "Threshold": "torch.nn.Threshold", "constant_": "torch.nn.init.constant_",
            "torch": "torch", "xavier_normal_": "torch.nn.init.xavier_normal_",
            "xavier_uniform_": "torch.nn.init.xavier_uniform_",
        },
        "hidden": """
            F Module NonDynamicallyQuantizableLinear Parameter Tensor constant_ torch xavier_normal_ xavier_uniform_
        """,
    },
    "torch.nn.modules.adaptive": {
        "alias": {
            "AdaptiveLogSoftmaxWithLoss": "torch.nn.AdaptiveLogSoftmaxWithLoss", "F": "torch.nn.functional",
            "Linear": "torch.nn.Linear", "Module": "torch.nn.Module", "ModuleList": "torch.nn.ModuleList",
            "Sequential": "torch.nn.Sequential", "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            F Linear Module ModuleList Sequential Tensor torch
        """,
    },
    "torch.nn.modules.batchnorm": {
        "class": """
            sync_batch_norm
        """,
        "alias": {
            "BatchNorm1d": "torch.nn.BatchNorm1d", "BatchNorm2d": "torch.nn.BatchNorm2d",
            "BatchNorm3d": "torch.nn.BatchNorm3d", "F": "torch.nn.functional",
            "LazyBatchNorm1d": "torch.nn.LazyBatchNorm1d", "LazyBatchNorm2d": "torch.nn.LazyBatchNorm2d",
            "LazyBatchNorm3d": "torch.nn.LazyBatchNorm3d", "LazyModuleMixin": "torch.nn.modules.conv.LazyModuleMixin",
            "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter", "SyncBatchNorm": "torch.nn.SyncBatchNorm",
            "Tensor": "torch.Tensor", "UninitializedBuffer": "torch.nn.UninitializedBuffer",
            "UninitializedParameter": "torch.nn.UninitializedParameter", "init": "torch.nn.init", "torch": "torch",
        },
        "hidden": """
            F LazyModuleMixin Module Parameter Tensor UninitializedBuffer UninitializedParameter init sync_batch_norm
            torch
        """,
    },
    "torch.nn.modules.channelshuffle": {
        "alias": {
            "ChannelShuffle": "torch.nn.ChannelShuffle", "F": "torch.nn.functional", "Module": "torch.nn.Module",
            "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.container": {
        "object": """
            T
        """,
        "alias": {
            "Container": "torch.nn.Container", "Module": "torch.nn.Module", "ModuleDict": "torch.nn.ModuleDict",
            "ModuleList": "torch.nn.ModuleList", "Parameter": "torch.nn.Parameter",
            "ParameterDict": "torch.nn.ParameterDict", "ParameterList": "torch.nn.ParameterList",
            "Sequential": "torch.nn.Sequential", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            Module Parameter T TYPE_CHECKING torch
        """,
    },
    "torch.nn.modules.conv": {
        "class": """
            LazyModuleMixin
        """,
        "alias": {
            "Conv1d": "torch.nn.Conv1d", "Conv2d": "torch.nn.Conv2d", "Conv3d": "torch.nn.Conv3d",
            "ConvTranspose1d": "torch.nn.ConvTranspose1d", "ConvTranspose2d": "torch.nn.ConvTranspose2d",
            "ConvTranspose3d": "torch.nn.ConvTranspose3d", "F": "torch.nn.functional",
            "LazyConv1d": "torch.nn.LazyConv1d", "LazyConv2d": "torch.nn.LazyConv2d",
            "LazyConv3d": "torch.nn.LazyConv3d", "LazyConvTranspose1d": "torch.nn.LazyConvTranspose1d",
            "LazyConvTranspose2d": "torch.nn.LazyConvTranspose2d",
            "LazyConvTranspose3d": "torch.nn.LazyConvTranspose3d", "Module": "torch.nn.Module",
            "Parameter": "torch.nn.Parameter", "Tensor": "torch.Tensor",
            "UninitializedParameter": "torch.nn.UninitializedParameter", "init": "torch.nn.init", "torch": "torch",
        },
        "hidden": """
            F LazyModuleMixin Module Parameter Tensor UninitializedParameter init torch
        """,
    },
    "torch.nn.modules.distance": {
        "alias": {
            "CosineSimilarity": "torch.nn.CosineSimilarity", "F": "torch.nn.functional", "Module": "torch.nn.Module",
            "PairwiseDistance": "torch.nn.PairwiseDistance", "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.dropout": {
        "alias": {
            "AlphaDropout": "torch.nn.AlphaDropout", "Dropout": "torch.nn.Dropout", "Dropout1d": "torch.nn.Dropout1d",
            "Dropout2d": "torch.nn.Dropout2d", "Dropout3d": "torch.nn.Dropout3d", "F": "torch.nn.functional",
            "FeatureAlphaDropout": "torch.nn.FeatureAlphaDropout", "Module": "torch.nn.Module",
            "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.flatten": {
        "alias": {
            "Flatten": "torch.nn.Flatten", "Module": "torch.nn.Module", "Tensor": "torch.Tensor",
            "Unflatten": "torch.nn.Unflatten",
        },
        "hidden": """
            Module Tensor
        """,
    },
    "torch.nn.modules.fold": {
        "alias": {
            "F": "torch.nn.functional", "Fold": "torch.nn.Fold", "Module": "torch.nn.Module",
            "Tensor": "torch.Tensor", "Unfold": "torch.nn.Unfold",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.instancenorm": {
        "alias": {
            "F": "torch.nn.functional", "InstanceNorm1d": "torch.nn.InstanceNorm1d",
            "InstanceNorm2d": "torch.nn.InstanceNorm2d", "InstanceNorm3d": "torch.nn.InstanceNorm3d",
            "LazyInstanceNorm1d": "torch.nn.LazyInstanceNorm1d", "LazyInstanceNorm2d": "torch.nn.LazyInstanceNorm2d",
            "LazyInstanceNorm3d": "torch.nn.LazyInstanceNorm3d", "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Tensor
        """,
    },
    "torch.nn.modules.lazy": {
        "alias": {
            "LazyModuleMixin": "torch.nn.modules.conv.LazyModuleMixin", "is_lazy": "torch.nn.parameter.is_lazy",
            "torch": "torch",
        },
        "hidden": """
            is_lazy torch
        """,
    },
    "torch.nn.modules.linear": {
        "layer": """
            NonDynamicallyQuantizableLinear
        """,
        "alias": {
            "Bilinear": "torch.nn.Bilinear", "F": "torch.nn.functional", "Identity": "torch.nn.Identity",
            "LazyLinear": "torch.nn.LazyLinear", "LazyModuleMixin": "torch.nn.modules.conv.LazyModuleMixin",
            "Linear": "torch.nn.Linear", "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter",
            "Tensor": "torch.Tensor", "UninitializedParameter": "torch.nn.UninitializedParameter",
            "init": "torch.nn.init", "torch": "torch",
        },
        "hidden": """
            F LazyModuleMixin Module NonDynamicallyQuantizableLinear Parameter Tensor UninitializedParameter init
            torch
        """,
    },
    "torch.nn.modules.linear_cross_entropy": {
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.nn.modules.linear_cross_entropy_options": {
        "alias": {
            "LinearCrossEntropyOptions": "torch.nn.LinearCrossEntropyOptions", "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.nn.modules.loss": {
        "alias": {
            "BCELoss": "torch.nn.BCELoss", "BCEWithLogitsLoss": "torch.nn.BCEWithLogitsLoss",
            "CTCLoss": "torch.nn.CTCLoss", "CosineEmbeddingLoss": "torch.nn.CosineEmbeddingLoss",
            "CrossEntropyLoss": "torch.nn.CrossEntropyLoss", "F": "torch.nn.functional",
            "GaussianNLLLoss": "torch.nn.GaussianNLLLoss", "HingeEmbeddingLoss": "torch.nn.HingeEmbeddingLoss",
            "HuberLoss": "torch.nn.HuberLoss", "KLDivLoss": "torch.nn.KLDivLoss", "L1Loss": "torch.nn.L1Loss",
            "Linear": "torch.nn.Linear", "LinearCrossEntropyLoss": "torch.nn.LinearCrossEntropyLoss",
            "LinearCrossEntropyOptions": "torch.nn.LinearCrossEntropyOptions", "MSELoss": "torch.nn.MSELoss",
            "MarginRankingLoss": "torch.nn.MarginRankingLoss", "Module": "torch.nn.Module",
            "MultiLabelMarginLoss": "torch.nn.MultiLabelMarginLoss",
            "MultiLabelSoftMarginLoss": "torch.nn.MultiLabelSoftMarginLoss",
            "MultiMarginLoss": "torch.nn.MultiMarginLoss", "NLLLoss": "torch.nn.NLLLoss",
            "NLLLoss2d": "torch.nn.NLLLoss2d", "PairwiseDistance": "torch.nn.PairwiseDistance",
            "PoissonNLLLoss": "torch.nn.PoissonNLLLoss", "SmoothL1Loss": "torch.nn.SmoothL1Loss",
            "SoftMarginLoss": "torch.nn.SoftMarginLoss", "Tensor": "torch.Tensor",
            "TripletMarginLoss": "torch.nn.TripletMarginLoss",
            "TripletMarginWithDistanceLoss": "torch.nn.TripletMarginWithDistanceLoss",
        },
        "hidden": """
            F Linear LinearCrossEntropyOptions Module PairwiseDistance Tensor
        """,
    },
    "torch.nn.modules.module": {
        "function": """
            is_traceable_wrapper_subclass register_module_backward_hook register_module_buffer_registration_hook
            register_module_full_backward_hook register_module_full_backward_pre_hook
            register_module_module_registration_hook register_module_parameter_registration_hook
        """,
        "object": """
            T
        """,
        "alias": {
            "BackwardHook": "torch.utils.hooks.BackwardHook", "Buffer": "torch.nn.Buffer",
            "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter",
            "RemovableHandle": "torch.utils.hooks.RemovableHandle", "Tensor": "torch.Tensor",
            "device": "torch.device", "dtype": "torch.dtype",
            "register_module_forward_hook": "torch.utils.module_tracker.register_module_forward_hook",
            "register_module_forward_pre_hook": "torch.utils.module_tracker.register_module_forward_pre_hook",
            "torch": "torch",
        },
        "hidden": """
            BackwardHook Buffer Parameter RemovableHandle T Tensor device dtype is_traceable_wrapper_subclass torch
        """,
    },
    "torch.nn.modules.normalization": {
        "alias": {
            "CrossMapLRN2d": "torch.nn.CrossMapLRN2d", "F": "torch.nn.functional", "GroupNorm": "torch.nn.GroupNorm",
            "LayerNorm": "torch.nn.LayerNorm", "LocalResponseNorm": "torch.nn.LocalResponseNorm",
            "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter", "RMSNorm": "torch.nn.RMSNorm",
            "Size": "torch.Size", "Tensor": "torch.Tensor", "init": "torch.nn.init", "torch": "torch",
        },
        "hidden": """
            F Module Parameter Size Tensor init torch
        """,
    },
    "torch.nn.modules.padding": {
        "alias": {
            "CircularPad1d": "torch.nn.CircularPad1d", "CircularPad2d": "torch.nn.CircularPad2d",
            "CircularPad3d": "torch.nn.CircularPad3d", "ConstantPad1d": "torch.nn.ConstantPad1d",
            "ConstantPad2d": "torch.nn.ConstantPad2d", "ConstantPad3d": "torch.nn.ConstantPad3d",
            "F": "torch.nn.functional", "Module": "torch.nn.Module", "ReflectionPad1d": "torch.nn.ReflectionPad1d",
            "ReflectionPad2d": "torch.nn.ReflectionPad2d", "ReflectionPad3d": "torch.nn.ReflectionPad3d",
            "ReplicationPad1d": "torch.nn.ReplicationPad1d", "ReplicationPad2d": "torch.nn.ReplicationPad2d",
            "ReplicationPad3d": "torch.nn.ReplicationPad3d", "Tensor": "torch.Tensor",
            "ZeroPad1d": "torch.nn.ZeroPad1d", "ZeroPad2d": "torch.nn.ZeroPad2d", "ZeroPad3d": "torch.nn.ZeroPad3d",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.pixelshuffle": {
        "alias": {
            "F": "torch.nn.functional", "Module": "torch.nn.Module", "PixelShuffle": "torch.nn.PixelShuffle",
            "PixelUnshuffle": "torch.nn.PixelUnshuffle", "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.pooling": {
        "alias": {
            "AdaptiveAvgPool1d": "torch.nn.AdaptiveAvgPool1d", "AdaptiveAvgPool2d": "torch.nn.AdaptiveAvgPool2d",
            "AdaptiveAvgPool3d": "torch.nn.AdaptiveAvgPool3d", "AdaptiveMaxPool1d": "torch.nn.AdaptiveMaxPool1d",
            "AdaptiveMaxPool2d": "torch.nn.AdaptiveMaxPool2d", "AdaptiveMaxPool3d": "torch.nn.AdaptiveMaxPool3d",
            "AvgPool1d": "torch.nn.AvgPool1d", "AvgPool2d": "torch.nn.AvgPool2d", "AvgPool3d": "torch.nn.AvgPool3d",
            "F": "torch.nn.functional", "FractionalMaxPool2d": "torch.nn.FractionalMaxPool2d",
            "FractionalMaxPool3d": "torch.nn.FractionalMaxPool3d", "LPPool1d": "torch.nn.LPPool1d",
            "LPPool2d": "torch.nn.LPPool2d", "LPPool3d": "torch.nn.LPPool3d", "MaxPool1d": "torch.nn.MaxPool1d",
            "MaxPool2d": "torch.nn.MaxPool2d", "MaxPool3d": "torch.nn.MaxPool3d",
            "MaxUnpool1d": "torch.nn.MaxUnpool1d", "MaxUnpool2d": "torch.nn.MaxUnpool2d",
            "MaxUnpool3d": "torch.nn.MaxUnpool3d", "Module": "torch.nn.Module", "Tensor": "torch.Tensor",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.rnn": {
        "function": """
            apply_permutation
        """,
        "alias": {
            "GRU": "torch.nn.GRU", "GRUCell": "torch.nn.GRUCell", "LSTM": "torch.nn.LSTM",
            "LSTMCell": "torch.nn.LSTMCell", "Module": "torch.nn.Module",
            "PackedSequence": "torch.nn.utils.rnn.PackedSequence", "Parameter": "torch.nn.Parameter",
            "RNN": "torch.nn.RNN", "RNNBase": "torch.nn.RNNBase", "RNNCell": "torch.nn.RNNCell",
            "RNNCellBase": "torch.nn.RNNCellBase", "Tensor": "torch.Tensor", "init": "torch.nn.init",
            "torch": "torch",
        },
        "hidden": """
            Module PackedSequence Parameter Tensor apply_permutation init torch
        """,
    },
    "torch.nn.modules.sparse": {
        "alias": {
            "Embedding": "torch.nn.Embedding", "EmbeddingBag": "torch.nn.EmbeddingBag", "F": "torch.nn.functional",
            "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter", "Tensor": "torch.Tensor",
            "init": "torch.nn.init", "torch": "torch",
        },
        "hidden": """
            F Module Parameter Tensor init torch
        """,
    },
    "torch.nn.modules.transformer": {
        "alias": {
            "Dropout": "torch.nn.Dropout", "F": "torch.nn.functional", "LayerNorm": "torch.nn.LayerNorm",
            "Linear": "torch.nn.Linear", "Module": "torch.nn.Module", "ModuleList": "torch.nn.ModuleList",
            "MultiheadAttention": "torch.nn.MultiheadAttention", "Tensor": "torch.Tensor",
            "Transformer": "torch.nn.Transformer", "TransformerDecoder": "torch.nn.TransformerDecoder",
            "TransformerDecoderLayer": "torch.nn.TransformerDecoderLayer",
            "TransformerEncoder": "torch.nn.TransformerEncoder",
            "TransformerEncoderLayer": "torch.nn.TransformerEncoderLayer", "torch": "torch",
            "xavier_uniform_": "torch.nn.init.xavier_uniform_",
        },
        "hidden": """
            Dropout F LayerNorm Linear Module ModuleList MultiheadAttention Tensor torch xavier_uniform_
        """,
    },
    "torch.nn.modules.upsampling": {
        "alias": {
            "F": "torch.nn.functional", "Module": "torch.nn.Module", "Tensor": "torch.Tensor",
            "Upsample": "torch.nn.Upsample", "UpsamplingBilinear2d": "torch.nn.UpsamplingBilinear2d",
            "UpsamplingNearest2d": "torch.nn.UpsamplingNearest2d",
        },
        "hidden": """
            F Module Tensor
        """,
    },
    "torch.nn.modules.utils": {
        "function": """
            consume_prefix_in_state_dict_if_present
        """,
    },
    "torch.nn.parallel": {
        "function": """
            data_parallel gather parallel_apply replicate scatter
        """,
        "layer": """
            DistributedDataParallel DistributedDataParallelCPU
        """,
        "module": """
            comm distributed scatter_gather
        """,
        "alias": {
            "DataParallel": "torch.nn.DataParallel",
        },
        "hidden": """
            DistributedDataParallelCPU comm distributed scatter_gather
        """,
    },
    "torch.nn.parallel.comm": {
        "alias": {
            "broadcast": "torch.cuda.comm.broadcast", "broadcast_coalesced": "torch.cuda.comm.broadcast_coalesced",
            "gather": "torch.cuda.comm.gather", "nccl": "torch.cuda.nccl", "reduce_add": "torch.cuda.comm.reduce_add",
            "reduce_add_coalesced": "torch.cuda.comm.reduce_add_coalesced", "scatter": "torch.cuda.comm.scatter",
            "torch": "torch",
        },
    },
    "torch.nn.parallel.data_parallel": {
        "object": """
            T
        """,
        "alias": {
            "DataParallel": "torch.nn.DataParallel", "Module": "torch.nn.Module",
            "data_parallel": "torch.nn.parallel.data_parallel", "gather": "torch.nn.parallel.gather",
            "parallel_apply": "torch.nn.parallel.parallel_apply", "replicate": "torch.nn.parallel.replicate",
            "scatter_kwargs": "torch.nn.parallel.distributed.scatter_kwargs", "torch": "torch",
        },
        "hidden": """
            Module T gather parallel_apply replicate scatter_kwargs torch
        """,
    },
    "torch.nn.parallel.distributed": {
        "function": """
            scatter_kwargs
        """,
        "class": """
            Join JoinHook Joinable RRef
        """,
        "alias": {
            "DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
            "Function": "torch.autograd.Function", "Module": "torch.nn.Module",
            "ReduceOp": "torch.distributed.ReduceOp", "Variable": "torch.autograd.Variable",
            "dist": "torch.distributed", "gather": "torch.nn.parallel.gather", "torch": "torch",
            "tree_flatten": "torch.utils.flop_counter.tree_flatten",
            "tree_unflatten": "torch.utils.flop_counter.tree_unflatten",
        },
        "constant": {
            "RPC_AVAILABLE": True, "TYPE_CHECKING": False,
        },
        "hidden": """
            Function Join JoinHook Joinable Module RPC_AVAILABLE RRef ReduceOp TYPE_CHECKING Variable dist gather
            scatter_kwargs torch tree_flatten tree_unflatten
        """,
    },
    "torch.nn.parallel.parallel_apply": {
        "function": """
            get_a_var
        """,
        "class": """
            ExceptionWrapper
        """,
        "alias": {
            "Module": "torch.nn.Module", "parallel_apply": "torch.nn.parallel.parallel_apply", "torch": "torch",
        },
        "hidden": """
            ExceptionWrapper Module torch
        """,
    },
    "torch.nn.parallel.replicate": {
        "object": """
            T
        """,
        "alias": {
            "Module": "torch.nn.Module", "comm": "torch.nn.parallel.comm", "replicate": "torch.nn.parallel.replicate",
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            Module T TYPE_CHECKING comm torch
        """,
    },
    "torch.nn.parallel.scatter_gather": {
        "function": """
            is_namedtuple
        """,
        "class": """
            Gather Scatter
        """,
        "object": """
            T
        """,
        "alias": {
            "gather": "torch.nn.parallel.gather", "scatter": "torch.nn.parallel.scatter",
            "scatter_kwargs": "torch.nn.parallel.distributed.scatter_kwargs", "torch": "torch",
        },
        "hidden": """
            Gather Scatter T is_namedtuple torch
        """,
    },
    "torch.nn.parameter": {
        "function": """
            is_lazy
        """,
        "class": """
            UninitializedTensorMixin
        """,
        "alias": {
            "Buffer": "torch.nn.Buffer", "Parameter": "torch.nn.Parameter",
            "UninitializedBuffer": "torch.nn.UninitializedBuffer",
            "UninitializedParameter": "torch.nn.UninitializedParameter", "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.nn.qat": {
        "layer": """
            Conv1d Conv2d Conv3d Embedding EmbeddingBag Linear
        """,
        "module": """
            dynamic modules
        """,
        "hidden": """
            dynamic modules
        """,
    },
    "torch.nn.qat.dynamic": {
        "layer": """
            Linear
        """,
        "module": """
            modules
        """,
    },
    "torch.nn.qat.modules": {
        "module": """
            conv embedding_ops linear
        """,
        "alias": {
            "Conv1d": "torch.nn.qat.Conv1d", "Conv2d": "torch.nn.qat.Conv2d", "Conv3d": "torch.nn.qat.Conv3d",
            "Embedding": "torch.nn.qat.Embedding", "EmbeddingBag": "torch.nn.qat.EmbeddingBag",
            "Linear": "torch.nn.qat.Linear",
        },
        "hidden": """
            conv embedding_ops linear
        """,
    },
    "torch.nn.quantizable": {
        "layer": """
            LSTM LSTMCell MultiheadAttention
        """,
        "module": """
            modules
        """,
    },
    "torch.nn.quantizable.modules": {
        "alias": {
            "LSTM": "torch.nn.quantizable.LSTM", "LSTMCell": "torch.nn.quantizable.LSTMCell",
            "MultiheadAttention": "torch.nn.quantizable.MultiheadAttention",
        },
    },
    "torch.nn.quantized": {
        "layer": """
            BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d DeQuantize
            Dropout ELU Embedding EmbeddingBag FXFloatFunctional FloatFunctional GroupNorm Hardswish InstanceNorm1d
            InstanceNorm2d InstanceNorm3d LSTM LayerNorm LeakyReLU Linear MultiheadAttention PReLU QFunctional
            Quantize ReLU6 Sigmoid Softmax
        """,
        "module": """
            dynamic functional modules
        """,
        "alias": {
            "MaxPool2d": "torch.nn.MaxPool2d",
        },
        "hidden": """
            MaxPool2d dynamic functional modules
        """,
    },
    "torch.nn.quantized.dynamic": {
        "layer": """
            Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d GRU GRUCell LSTM LSTMCell Linear
            RNNCell
        """,
        "alias": {
            "modules": "torch.ao.nn.quantized.dynamic.modules",
        },
    },
    "torch.nn.quantized.functional": {
        "function": """
            adaptive_avg_pool2d adaptive_avg_pool3d avg_pool2d avg_pool3d celu clamp conv1d conv2d conv3d elu
            hardsigmoid hardswish hardtanh interpolate leaky_relu linear max_pool1d max_pool2d threshold upsample
            upsample_bilinear upsample_nearest
        """,
    },
    "torch.nn.quantized.modules": {
        "alias": {
            "BatchNorm2d": "torch.nn.quantized.BatchNorm2d", "BatchNorm3d": "torch.nn.quantized.BatchNorm3d",
            "Conv1d": "torch.nn.quantized.Conv1d", "Conv2d": "torch.nn.quantized.Conv2d",
            "Conv3d": "torch.nn.quantized.Conv3d", "ConvTranspose1d": "torch.nn.quantized.ConvTranspose1d",
            "ConvTranspose2d": "torch.nn.quantized.ConvTranspose2d",
            "ConvTranspose3d": "torch.nn.quantized.ConvTranspose3d", "DeQuantize": "torch.nn.quantized.DeQuantize",
            "Dropout": "torch.nn.quantized.Dropout", "ELU": "torch.nn.quantized.ELU",
            "Embedding": "torch.nn.quantized.Embedding", "EmbeddingBag": "torch.nn.quantized.EmbeddingBag",
            "FXFloatFunctional": "torch.nn.quantized.FXFloatFunctional",
            "FloatFunctional": "torch.nn.quantized.FloatFunctional", "GroupNorm": "torch.nn.quantized.GroupNorm",
            "Hardswish": "torch.nn.quantized.Hardswish", "InstanceNorm1d": "torch.nn.quantized.InstanceNorm1d",
            "InstanceNorm2d": "torch.nn.quantized.InstanceNorm2d",
            "InstanceNorm3d": "torch.nn.quantized.InstanceNorm3d", "LSTM": "torch.nn.quantized.LSTM",
            "LayerNorm": "torch.nn.quantized.LayerNorm", "LeakyReLU": "torch.nn.quantized.LeakyReLU",
            "Linear": "torch.nn.quantized.Linear", "MaxPool2d": "torch.nn.MaxPool2d",
            "MultiheadAttention": "torch.nn.quantized.MultiheadAttention", "PReLU": "torch.nn.quantized.PReLU",
            "QFunctional": "torch.nn.quantized.QFunctional", "Quantize": "torch.nn.quantized.Quantize",
            "ReLU6": "torch.nn.quantized.ReLU6", "Sigmoid": "torch.nn.quantized.Sigmoid",
            "Softmax": "torch.nn.quantized.Softmax", "activation": "torch.ao.nn.quantized.modules.activation",
            "batchnorm": "torch.ao.nn.quantized.modules.batchnorm", "conv": "torch.ao.nn.quantized.modules.conv",
            "dropout": "torch.ao.nn.quantized.modules.dropout",
            "embedding_ops": "torch.ao.nn.quantized.modules.embedding_ops",
            "functional_modules": "torch.ao.nn.quantized.modules.functional_modules",
            "linear": "torch.ao.nn.quantized.modules.linear",
            "normalization": "torch.ao.nn.quantized.modules.normalization",
            "rnn": "torch.ao.nn.quantized.modules.rnn", "utils": "torch.ao.nn.quantized.modules.utils",
        },
        "hidden": """
            MaxPool2d activation batchnorm conv dropout embedding_ops functional_modules linear normalization rnn
            utils
        """,
    },
    "torch.nn.utils": {
        "function": """
            clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_ convert_conv2d_weight_memory_format
            convert_conv3d_weight_memory_format fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval
            fuse_linear_bn_weights get_total_norm parameters_to_vector remove_spectral_norm remove_weight_norm
            skip_init spectral_norm vector_to_parameters weight_norm
        """,
        "module": """
            clip_grad convert_parameters fusion init memory_format parametrizations parametrize prune rnn stateless
        """,
        "hidden": """
            clip_grad convert_parameters fusion init memory_format prune
        """,
    },
    "torch.nn.utils.clip_grad": {
        "alias": {
            "Tensor": "torch.Tensor", "clip_grad_norm": "torch.nn.utils.clip_grad_norm",
            "clip_grad_norm_": "torch.nn.utils.clip_grad_norm_",
            "clip_grad_value_": "torch.nn.utils.clip_grad_value_", "torch": "torch",
        },
        "hidden": """
            Tensor torch
        """,
    },
    "torch.nn.utils.convert_parameters": {
        "alias": {
            "parameters_to_vector": "torch.nn.utils.parameters_to_vector", "torch": "torch",
            "vector_to_parameters": "torch.nn.utils.vector_to_parameters",
        },
    },
    "torch.nn.utils.fusion": {
        "object": """
            ConvT LinearT
        """,
        "alias": {
            "fuse_conv_bn_eval": "torch.nn.utils.fuse_conv_bn_eval",
            "fuse_conv_bn_weights": "torch.nn.utils.fuse_conv_bn_weights",
            "fuse_linear_bn_eval": "torch.nn.utils.fuse_linear_bn_eval",
            "fuse_linear_bn_weights": "torch.nn.utils.fuse_linear_bn_weights", "torch": "torch",
        },
        "hidden": """
            ConvT LinearT torch
        """,
    },
    "torch.nn.utils.init": {
        "alias": {
            "skip_init": "torch.nn.utils.skip_init", "torch": "torch",
        },
    },
    "torch.nn.utils.memory_format": {
        "alias": {
            "convert_conv2d_weight_memory_format": "torch.nn.utils.convert_conv2d_weight_memory_format",
            "convert_conv3d_weight_memory_format": "torch.nn.utils.convert_conv3d_weight_memory_format",
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.nn.utils.parametrizations": {
        "function": """
            orthogonal spectral_norm weight_norm
        """,
        "alias": {
            "F": "torch.nn.functional", "Module": "torch.nn.Module", "Tensor": "torch.Tensor",
            "parametrize": "torch.nn.utils.parametrize", "torch": "torch",
        },
        "hidden": """
            F Module Tensor parametrize torch
        """,
    },
    "torch.nn.utils.parametrize": {
        "function": """
            cached get_swap_module_params_on_conversion is_opaque_reference_type is_parametrized
            register_parametrization remove_parametrizations transfer_parametrizations_and_params
            type_before_parametrizations
        """,
        "class": """
            OpaqueBase
        """,
        "layer": """
            ParametrizationList
        """,
        "alias": {
            "Module": "torch.nn.Module", "ModuleDict": "torch.nn.ModuleDict", "ModuleList": "torch.nn.ModuleList",
            "Parameter": "torch.nn.Parameter", "Tensor": "torch.Tensor",
            "is_traceable_wrapper_subclass": "torch.nn.modules.module.is_traceable_wrapper_subclass",
            "torch": "torch",
        },
        "hidden": """
            Module ModuleDict ModuleList OpaqueBase Parameter Tensor get_swap_module_params_on_conversion
            is_opaque_reference_type is_traceable_wrapper_subclass torch
        """,
    },
    "torch.nn.utils.prune": {
        "function": """
            custom_from_mask global_unstructured identity is_pruned l1_unstructured ln_structured random_structured
            random_unstructured remove
        """,
        "class": """
            BasePruningMethod CustomFromMask Identity L1Unstructured LnStructured PruningContainer RandomStructured
            RandomUnstructured
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.nn.utils.rnn": {
        "function": """
            bind copy_method_params invert_permutation pack_padded_sequence pack_sequence pad_packed_sequence
            pad_sequence unpack_sequence unpad_sequence
        """,
        "class": """
            PackedSequence PackedSequence_
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            PackedSequence_ Tensor bind copy_method_params torch
        """,
    },
    "torch.nn.utils.spectral_norm": {
        "class": """
            SpectralNorm SpectralNormLoadStateDictPreHook SpectralNormStateDictHook
        """,
        "object": """
            T_module
        """,
        "alias": {
            "F": "torch.nn.functional", "Module": "torch.nn.Module",
            "remove_spectral_norm": "torch.nn.utils.remove_spectral_norm",
            "spectral_norm": "torch.nn.utils.spectral_norm", "torch": "torch",
        },
        "hidden": """
            F Module T_module torch
        """,
    },
    "torch.nn.utils.stateless": {
        "function": """
            functional_call
        """,
        "class": """
            NamedMemberAccessor
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            NamedMemberAccessor Tensor torch
        """,
    },
    "torch.nn.utils.weight_norm": {
        "class": """
            WeightNorm
        """,
        "object": """
            T_module
        """,
        "alias": {
            "Module": "torch.nn.Module", "Parameter": "torch.nn.Parameter",
            "UninitializedParameter": "torch.nn.UninitializedParameter", "norm_except_dim": "torch.norm_except_dim",
            "remove_weight_norm": "torch.nn.utils.remove_weight_norm", "weight_norm": "torch.nn.utils.weight_norm",
        },
        "hidden": """
            Module Parameter T_module UninitializedParameter norm_except_dim
        """,
    },
    "torch.numa": {
    },
    "torch.onnx": {
        "function": """
            export is_in_onnx_export register_custom_op_symbolic select_model_mode_for_export
            unregister_custom_op_symbolic
        """,
        "class": """
            InputObserver JitScalarType ONNXProgram OperatorExportTypes TensorProtoDataType TrainingMode
        """,
        "layer": """
            ExportableModule
        """,
        "exception": """
            OnnxExporterError
        """,
        "module": """
            errors operators ops
        """,
        "alias": {
            "symbolic_helper": "torch.onnx._internal.torchscript_exporter.symbolic_helper",
            "symbolic_opset10": "torch.onnx._internal.torchscript_exporter.symbolic_opset10",
            "symbolic_opset9": "torch.onnx._internal.torchscript_exporter.symbolic_opset9", "torch": "torch",
            "utils": "torch.onnx._internal.torchscript_exporter.utils",
        },
        "constant": {
            "TYPE_CHECKING": False, "producer_name": "pytorch", "producer_version": "2.13.0",
        },
        "hidden": """
            JitScalarType OperatorExportTypes TYPE_CHECKING TensorProtoDataType TrainingMode operators producer_name
            producer_version register_custom_op_symbolic select_model_mode_for_export symbolic_helper symbolic_opset10
            symbolic_opset9 torch unregister_custom_op_symbolic utils
        """,
    },
    "torch.optim": {
        "function": """
            swap_in_optimizer_params_and_state
        """,
        "class": """
            ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam Optimizer RAdam RMSprop Rprop SGD
            SparseAdam
        """,
        "module": """
            lr_scheduler swa_utils
        """,
    },
    "torch.optim.adadelta": {
        "function": """
            adadelta
        """,
        "alias": {
            "Adadelta": "torch.optim.Adadelta", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.adagrad": {
        "function": """
            adagrad
        """,
        "alias": {
            "Adagrad": "torch.optim.Adagrad", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.adam": {
        "function": """
            adam
        """,
        "alias": {
            "Adam": "torch.optim.Adam", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.adamax": {
        "function": """
            adamax
        """,
        "alias": {
            "Adamax": "torch.optim.Adamax", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.adamw": {
        "function": """
            adamw
        """,
        "alias": {
            "Adam": "torch.optim.Adam", "AdamW": "torch.optim.AdamW", "Tensor": "torch.Tensor",
            "adam": "torch.optim.adam.adam",
        },
        "hidden": """
            Adam Tensor adam
        """,
    },
    "torch.optim.asgd": {
        "function": """
            asgd
        """,
        "alias": {
            "ASGD": "torch.optim.ASGD", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.lbfgs": {
        "alias": {
            "LBFGS": "torch.optim.LBFGS", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.lr_scheduler": {
        "class": """
            ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR LambdaLR
            LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR
        """,
        "alias": {
            "LRScheduler": "torch.optim.swa_utils.LRScheduler", "Optimizer": "torch.optim.Optimizer",
            "Tensor": "torch.Tensor",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            EPOCH_DEPRECATION_WARNING Optimizer TYPE_CHECKING Tensor inf
        """,
    },
    "torch.optim.nadam": {
        "function": """
            nadam
        """,
        "alias": {
            "NAdam": "torch.optim.NAdam", "Optimizer": "torch.optim.Optimizer", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.optimizer": {
        "function": """
            register_optimizer_step_pre_hook
        """,
        "object": """
            R T required
        """,
        "alias": {
            "Optimizer": "torch.optim.Optimizer", "RemovableHandle": "torch.utils.hooks.RemovableHandle",
            "hooks": "torch.utils.hooks",
            "register_optimizer_step_post_hook": "torch.profiler.register_optimizer_step_post_hook", "torch": "torch",
        },
        "hidden": """
            R RemovableHandle T hooks required torch
        """,
    },
    "torch.optim.radam": {
        "function": """
            radam
        """,
        "alias": {
            "Optimizer": "torch.optim.Optimizer", "RAdam": "torch.optim.RAdam", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.rmsprop": {
        "function": """
            rmsprop
        """,
        "alias": {
            "Optimizer": "torch.optim.Optimizer", "RMSprop": "torch.optim.RMSprop", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.rprop": {
        "function": """
            rprop
        """,
        "alias": {
            "Optimizer": "torch.optim.Optimizer", "Rprop": "torch.optim.Rprop", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.sgd": {
        "function": """
            sgd
        """,
        "alias": {
            "Optimizer": "torch.optim.Optimizer", "SGD": "torch.optim.SGD", "Tensor": "torch.Tensor",
            "torch": "torch",
        },
        "hidden": """
            Optimizer Tensor torch
        """,
    },
    "torch.optim.sparse_adam": {
        "alias": {
            "F": "torch.optim._functional", "Optimizer": "torch.optim.Optimizer",
            "SparseAdam": "torch.optim.SparseAdam", "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            F Optimizer Tensor torch
        """,
    },
    "torch.optim.swa_utils": {
        "function": """
            get_ema_avg_fn get_ema_multi_avg_fn get_swa_avg_fn get_swa_multi_avg_fn update_bn
        """,
        "class": """
            LRScheduler SWALR
        """,
        "layer": """
            AveragedModel
        """,
        "alias": {
            "Module": "torch.nn.Module", "Tensor": "torch.Tensor", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            LRScheduler Module TYPE_CHECKING Tensor torch
        """,
    },
    "torch.overrides": {
        "function": """
            enable_reentrant_dispatch get_default_nowrap_functions get_ignored_functions get_overridable_functions
            get_testing_overrides has_torch_function_unary has_torch_function_variadic is_tensor_method_or_property
            redispatch_function resolve_name wrap_torch_function
        """,
        "class": """
            BaseTorchFunctionMode TorchFunctionMode
        """,
        "alias": {
            "handle_torch_function": "torch.autograd.handle_torch_function",
            "has_torch_function": "torch.autograd.has_torch_function",
            "is_tensor_like": "torch.autograd.is_tensor_like", "torch": "torch",
        },
        "hidden": """
            BaseTorchFunctionMode TorchFunctionMode get_default_nowrap_functions has_torch_function_unary
            has_torch_function_variadic torch
        """,
    },
    "torch.package": {
        "function": """
            is_from_package
        """,
        "class": """
            Directory GlobGroup Importer OrderedImporter PackageExporter PackageImporter
        """,
        "exception": """
            EmptyMatchError ObjMismatchError ObjNotFoundError PackagingError
        """,
        "module": """
            analyze file_structure_representation find_file_dependencies glob_group importer package_exporter
            package_importer
        """,
        "object": """
            sys_importer
        """,
    },
    "torch.profiler": {
        "function": """
            register_optimizer_step_post_hook schedule supported_activities tensorboard_trace_handler
        """,
        "class": """
            ExecutionTraceObserver KinetoStepTracker ProfilerAction RecordScope profile record_function
        """,
        "module": """
            itt profiler
        """,
        "alias": {
            "DeviceType": "torch.autograd.DeviceType", "Optimizer": "torch.optim.Optimizer",
            "ProfilerActivity": "torch.autograd.ProfilerActivity", "is_fbcode": "torch.mtia.is_fbcode",
            "kineto_available": "torch.autograd.kineto_available",
        },
        "hidden": """
            KinetoStepTracker Optimizer RecordScope is_fbcode itt profiler register_optimizer_step_post_hook
        """,
    },
    "torch.quantization": {
        "function": """
            QConfigAny add_quant_dequant convert convert_dynamic_jit convert_jit default_dynamic_quant_observer
            default_eval_fn default_fake_quant default_fixed_qparams_range_0to1_fake_quant
            default_fixed_qparams_range_neg1to1_fake_quant default_float_qparams_observer default_fused_act_fake_quant
            default_fused_per_channel_wt_fake_quant default_fused_wt_fake_quant default_histogram_fake_quant
            default_histogram_observer default_observer default_per_channel_weight_fake_quant
            default_per_channel_weight_observer default_weight_fake_quant default_weight_observer disable_fake_quant
            disable_observer enable_fake_quant enable_observer fuse_conv_bn fuse_conv_bn_jit fuse_conv_bn_relu
            fuse_linear_bn fuse_modules get_default_compare_output_module_list
            get_default_dynamic_quant_module_mappings get_default_float_to_quantized_operator_mappings
            get_default_qat_module_mappings get_default_qat_qconfig get_default_qconfig
            get_default_qconfig_propagation_list get_default_static_quant_module_mappings
            get_dynamic_quant_module_class get_fuser_method get_observer_state_dict get_quantized_operator
            get_static_quant_module_class load_observer_state_dict no_observer_set prepare prepare_dynamic_jit
            prepare_jit prepare_qat propagate_qconfig_ qconfig_equals quantize quantize_dynamic quantize_dynamic_jit
            quantize_jit quantize_qat script_qconfig script_qconfig_dict swap_module
        """,
        "class": """
            QConfig QConfigDynamic QuantType
        """,
        "layer": """
            DeQuantStub FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize
            HistogramObserver MinMaxObserver MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver
            NoopObserver ObserverBase PerChannelMinMaxObserver PlaceholderObserver QuantStub QuantWrapper
            RecordingObserver
        """,
        "module": """
            fake_quantize fuser_method_mappings observer qconfig quant_type quantization_mappings stubs
        """,
        "object": """
            default_activation_only_qconfig default_debug_qconfig default_dynamic_qconfig default_per_channel_qconfig
            default_qat_qconfig default_qat_qconfig_v2 default_qconfig default_weight_only_qconfig
            float16_dynamic_qconfig float16_static_qconfig float_qparams_weight_only_qconfig
            per_channel_dynamic_qconfig
        """,
        "alias": {
            "default_debug_observer": "torch.quantization.RecordingObserver",
            "default_placeholder_observer": "torch.quantization.PlaceholderObserver",
        },
        "hidden": """
            FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize MinMaxObserver
            MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver NoopObserver PerChannelMinMaxObserver
            PlaceholderObserver QConfigAny QConfigDynamic RecordingObserver convert_dynamic_jit convert_jit
            default_activation_only_qconfig default_debug_observer default_debug_qconfig
            default_dynamic_quant_observer default_float_qparams_observer default_fused_act_fake_quant
            default_fused_per_channel_wt_fake_quant default_fused_wt_fake_quant default_histogram_observer
            default_per_channel_qconfig default_qat_qconfig_v2 default_weight_only_qconfig disable_fake_quant
            disable_observer enable_fake_quant enable_observer fake_quantize float16_static_qconfig fuse_conv_bn
            fuse_conv_bn_jit fuse_conv_bn_relu fuse_linear_bn fuser_method_mappings
            get_default_float_to_quantized_operator_mappings get_default_qat_qconfig get_default_qconfig
            get_dynamic_quant_module_class get_observer_state_dict load_observer_state_dict no_observer_set
            per_channel_dynamic_qconfig prepare_dynamic_jit prepare_jit qconfig qconfig_equals quant_type
            quantization_mappings script_qconfig script_qconfig_dict stubs
        """,
    },
    "torch.quasirandom": {
        "class": """
            SobolEngine
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.random": {
        "function": """
            fork_rng manual_seed
        """,
        "alias": {
            "default_generator": "torch.default_generator", "get_rng_state": "torch.get_rng_state",
            "initial_seed": "torch.initial_seed", "seed": "torch.seed", "set_rng_state": "torch.set_rng_state",
            "thread_safe_generator": "torch.thread_safe_generator", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING default_generator torch
        """,
    },
    "torch.return_types": {
        "function": """
            pytree_register_structseq register_pytree_node
        """,
        "class": """
            SequenceKey aminmax aminmax_out cummax cummax_out cummin cummin_out frexp frexp_out geqrf geqrf_out
            histogram histogram_out histogramdd kthvalue kthvalue_out linalg_cholesky_ex linalg_cholesky_ex_out
            linalg_eig linalg_eig_out linalg_eigh linalg_eigh_out linalg_inv_ex linalg_inv_ex_out linalg_ldl_factor
            linalg_ldl_factor_ex linalg_ldl_factor_ex_out linalg_ldl_factor_out linalg_lstsq linalg_lstsq_out
            linalg_lu linalg_lu_factor linalg_lu_factor_ex linalg_lu_factor_ex_out linalg_lu_factor_out linalg_lu_out
            linalg_qr linalg_qr_out linalg_slogdet linalg_slogdet_out linalg_solve_ex linalg_solve_ex_out linalg_svd
            linalg_svd_out lu_unpack lu_unpack_out max max_out median median_out min min_out mode mode_out nanmedian
            nanmedian_out qr qr_out slogdet slogdet_out sort sort_out svd svd_out topk topk_out triangular_solve
            triangular_solve_out
        """,
        "alias": {
            "return_types": "torch._C._return_types", "torch": "torch",
        },
        "constant": {
            "name": "triangular_solve_out",
        },
        "hidden": """
            SequenceKey name register_pytree_node return_types torch
        """,
    },
    "torch.serialization": {
        "function": """
            add_safe_globals check_module_version_greater_or_equal clear_safe_globals default_restore_location
            get_crc32_options get_default_load_endianness get_default_mmap_options get_safe_globals
            get_source_lines_and_file get_unsafe_globals_in_checkpoint location_tag mkdtemp normalize_storage_type
            register_package set_crc32_options set_default_load_endianness storage_to_tensor_type validate_cuda_device
            validate_hpu_device
        """,
        "class": """
            LoadEndianness StorageType safe_globals set_default_mmap_options skip_data
        """,
        "exception": """
            SourceChangeWarning
        """,
        "object": """
            T
        """,
        "alias": {
            "Storage": "torch.types.Storage", "load": "torch.load", "save": "torch.save", "torch": "torch",
        },
        "constant": {
            "DEFAULT_PROTOCOL": 2, "INT_SIZE": 4, "IS_WINDOWS": False, "LONG_SIZE": 4,
            "MAGIC_NUMBER": 119547037146038801333356, "MAP_PRIVATE": 2, "MAP_SHARED": 1, "PROTOCOL_VERSION": 1001,
            "SHORT_SIZE": 2, "STORAGE_KEY_SEPARATOR": ",",
        },
        "hidden": """
            DEFAULT_PROTOCOL INT_SIZE IS_WINDOWS LONG_SIZE MAGIC_NUMBER MAP_PRIVATE MAP_SHARED PROTOCOL_VERSION
            SHORT_SIZE STORAGE_KEY_SEPARATOR Storage T UNSAFE_MESSAGE get_source_lines_and_file torch
        """,
    },
    "torch.signal": {
        "module": """
            windows
        """,
    },
    "torch.signal.windows": {
        "function": """
            bartlett blackman cosine exponential gaussian general_cosine general_hamming hamming hann kaiser nuttall
        """,
        "module": """
            windows
        """,
        "hidden": """
            windows
        """,
    },
    "torch.sparse": {
        "function": """
            addmm as_sparse_gradcheck log_softmax mm sampled_addmm softmax spdiags spsolve sum
            to_sparse_semi_structured
        """,
        "class": """
            BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor
            SparseSemiStructuredTensor SparseSemiStructuredTensorCUSPARSELT SparseSemiStructuredTensorCUTLASS
            check_sparse_tensor_invariants
        """,
        "module": """
            semi_structured
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor
            TYPE_CHECKING Tensor sampled_addmm semi_structured spdiags spsolve torch
        """,
    },
    "torch.sparse.semi_structured": {
        "function": """
            fallback_dispatcher semi_sparse_addmm semi_sparse_clone semi_sparse_detach semi_sparse_indices
            semi_sparse_linear semi_sparse_mm semi_sparse_scaled_mm semi_sparse_t semi_sparse_to semi_sparse_to_copy
            semi_sparse_values semi_sparse_view sparse_semi_structured_from_dense_cutlass
            sparse_semi_structured_to_dense_cutlass
        """,
        "alias": {
            "SparseSemiStructuredTensor": "torch.sparse.SparseSemiStructuredTensor",
            "SparseSemiStructuredTensorCUSPARSELT": "torch.sparse.SparseSemiStructuredTensorCUSPARSELT",
            "SparseSemiStructuredTensorCUTLASS": "torch.sparse.SparseSemiStructuredTensorCUTLASS",
            "to_sparse_semi_structured": "torch.sparse.to_sparse_semi_structured", "torch": "torch",
        },
        "hidden": """
            fallback_dispatcher semi_sparse_addmm semi_sparse_clone semi_sparse_detach semi_sparse_indices
            semi_sparse_linear semi_sparse_mm semi_sparse_scaled_mm semi_sparse_t semi_sparse_to semi_sparse_to_copy
            semi_sparse_values semi_sparse_view sparse_semi_structured_from_dense_cutlass
            sparse_semi_structured_to_dense_cutlass torch
        """,
    },
    "torch.special": {
        "function": """
            airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u
            chebyshev_polynomial_v chebyshev_polynomial_w digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc
            gammaincc gammaln hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e laguerre_polynomial_l
            legendre_polynomial_p log1p log_ndtr log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1
            modified_bessel_k0 modified_bessel_k1 multigammaln ndtr ndtri polygamma psi round
            scaled_modified_bessel_k0 scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t
            shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w sinc softmax
            spherical_bessel_j0 xlog1py xlogy zeta
        """,
        "alias": {
            "Tensor": "torch.Tensor", "torch": "torch",
        },
        "hidden": """
            Tensor torch
        """,
    },
    "torch.storage": {
        "object": """
            T
        """,
        "alias": {
            "Storage": "torch.types.Storage", "TypedStorage": "torch.TypedStorage",
            "UntypedStorage": "torch.UntypedStorage", "torch": "torch",
        },
        "constant": {
            "HAS_NUMPY": True, "TYPE_CHECKING": False,
        },
        "hidden": """
            HAS_NUMPY Storage T TYPE_CHECKING torch
        """,
    },
    "torch.testing": {
        "function": """
            assert_allclose assert_close make_tensor
        """,
        "alias": {
            "FileCheck": "torch.FileCheck",
        },
    },
    "torch.torch_version": {
        "class": """
            TorchVersion Version
        """,
        "exception": """
            InvalidVersion
        """,
        "constant": {
            "cmp_method": "__le__", "internal_version": "2.13.0+cpu",
        },
        "hidden": """
            InvalidVersion Version cmp_method internal_version
        """,
    },
    "torch.types": {
        "class": """
            Storage
        """,
        "alias": {
            "DispatchKey": "torch.DispatchKey", "Size": "torch.Size", "SymBool": "torch.SymBool",
            "SymFloat": "torch.SymFloat", "SymInt": "torch.SymInt", "Tensor": "torch.Tensor",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            DispatchKey Size SymBool SymFloat SymInt TYPE_CHECKING Tensor
        """,
    },
    "torch.utils": {
        "function": """
            generate_methods_for_privateuse1_backend get_cpp_backtrace rename_privateuse1_backend swap_tensors
        """,
        "class": """
            ThroughputBenchmark
        """,
        "module": """
            backcompat backend_registration benchmark bundled_inputs checkpoint collect_env cpp_backtrace
            cpp_extension data debug_log deterministic dlpack file_baton flop_counter hipify hooks jit mkldnn
            mobile_optimizer model_dump model_zoo module_tracker serialization show_pickle throughput_benchmark viz
            weak
        """,
        "alias": {
            "set_module": "torch.jit.set_module", "torch": "torch",
        },
    },
    "torch.utils.backcompat": {
        "class": """
            Warning
        """,
        "object": """
            broadcast_warning keepdim_warning
        """,
    },
    "torch.utils.backend_registration": {
        "alias": {
            "generate_methods_for_privateuse1_backend": "torch.utils.generate_methods_for_privateuse1_backend",
            "handle_torch_function": "torch.autograd.handle_torch_function",
            "has_torch_function_unary": "torch.overrides.has_torch_function_unary",
            "rename_privateuse1_backend": "torch.utils.rename_privateuse1_backend", "torch": "torch",
        },
        "hidden": """
            handle_torch_function has_torch_function_unary torch
        """,
    },
    "torch.utils.benchmark": {
        "function": """
            ordered_unique select_unit set_torch_threads timer trim_sigfig unit_to_english
        """,
        "class": """
            CallgrindStats Colorize Compare CopyIfCallgrind FunctionCount FunctionCounts FuzzedParameter
            FuzzedSparseTensor FuzzedTensor Fuzzer Language Measurement ParameterAlias TaskSpec Timer
        """,
        "module": """
            utils
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.utils.bundled_inputs": {
        "function": """
            augment_many_model_functions_with_bundled_inputs augment_model_with_bundled_inputs bundle_inputs
            bundle_large_tensor bundle_randn wrap_cpp_module
        """,
        "class": """
            InflatableArg
        """,
        "object": """
            T
        """,
        "alias": {
            "ListType": "torch.ListType", "TupleType": "torch.TupleType", "torch": "torch",
        },
        "constant": {
            "MAX_RAW_TENSOR_SIZE": 16,
        },
    },
    "torch.utils.checkpoint": {
        "function": """
            capture_logs check_backward_validity checkpoint checkpoint_sequential create_selective_checkpoint_contexts
            detach_variable get_device_states noop_context_fn set_checkpoint_debug_enabled set_checkpoint_early_stop
            set_device_states tree_map
        """,
        "class": """
            CheckpointFunction CheckpointPolicy DefaultDeviceType GraphExecGroup LoggingTensorMode
            SelectiveCheckpointContext
        """,
        "exception": """
            CheckpointError
        """,
        "alias": {
            "SavedTensor": "torch.autograd.SavedTensor",
            "TorchDispatchMode": "torch.autograd.graph.TorchDispatchMode", "fx_traceback": "torch.fx.traceback",
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            LoggingTensorMode SavedTensor TYPE_CHECKING TorchDispatchMode capture_logs fx_traceback torch tree_map
        """,
    },
    "torch.utils.collect_env": {
        "function": """
            check_release_file get_cachingallocator_config get_clang_version get_cmake_version get_conda_packages
            get_cpu_info get_cuda_module_loading_config get_cudnn_version get_env_info get_gcc_version get_gpu_info
            get_intel_gpu_detected get_intel_gpu_driver_version get_intel_gpu_onboard get_libc_version
            get_linux_pkg_version get_lsb_version get_mac_version get_nvidia_driver_version get_nvidia_smi get_os
            get_pip_packages get_platform get_pretty_env_info get_python_platform get_running_cuda_version
            get_windows_version is_xnnpack_available main pretty_str run run_and_parse_first_match run_and_read_all
            run_and_return_first_line
        """,
        "class": """
            SystemEnv
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "TORCH_AVAILABLE": True,
        },
    },
    "torch.utils.cpp_backtrace": {
        "alias": {
            "get_cpp_backtrace": "torch.utils.get_cpp_backtrace",
        },
    },
    "torch.utils.cpp_extension": {
        "function": """
            CUDAExtension CppExtension SyclExtension check_compiler_is_gcc check_compiler_ok_for_platform
            get_compiler_abi_compatibility_and_version get_cxx_compiler get_default_build_root include_paths
            is_ninja_available library_paths load load_inline remove_extension_h_precompiler_headers
            verify_ninja_availability
        """,
        "class": """
            BuildExtension ExtensionVersioner
        """,
        "object": """
            JIT_EXTENSION_VERSIONER
        """,
        "alias": {
            "FileBaton": "torch.utils.file_baton.FileBaton", "TorchVersion": "torch.torch_version.TorchVersion",
            "Version": "torch.torch_version.Version", "torch": "torch",
        },
        "constant": {
            "CLIB_EXT": ".so", "CLIB_PREFIX": "lib", "CUDA_HOME": None, "CUDNN_HOME": None, "EXEC_EXT": "",
            "HIP_HOME": None, "IS_HIP_EXTENSION": False, "IS_LINUX": True, "IS_MACOS": False, "IS_WINDOWS": False,
            "LIB_EXT": ".so", "ROCM_HOME": None, "ROCM_VERSION": None, "SHARED_FLAG": "-shared", "SYCL_HOME": None,
            "TYPE_CHECKING": False, "WINDOWS_CUDA_HOME": None, "min_supported_cpython": "0x030A0000",
        },
        "hidden": """
            ABI_INCOMPATIBILITY_WARNING CLIB_EXT CLIB_PREFIX CUDA_HOME CUDA_MISMATCH_MESSAGE CUDA_MISMATCH_WARN
            CUDA_NOT_FOUND_MESSAGE CUDNN_HOME EXEC_EXT ExtensionVersioner FileBaton HIP_HOME IS_HIP_EXTENSION IS_LINUX
            IS_MACOS IS_WINDOWS JIT_EXTENSION_VERSIONER LIB_EXT ROCM_HOME ROCM_VERSION SHARED_FLAG SYCL_HOME
            TORCH_LIB_PATH TYPE_CHECKING TorchVersion Version WINDOWS_CUDA_HOME WRONG_COMPILER_WARNING
            min_supported_cpython torch
        """,
    },
    "torch.utils.data": {
        "function": """
            argument_validation default_collate default_convert get_worker_info random_split runtime_validation
        """,
        "class": """
            BatchSampler ChainDataset ConcatDataset DFIterDataPipe DataChunk DataLoader Dataset DistributedSampler
            IterDataPipe IterableDataset MapDataPipe RandomSampler Sampler SequentialSampler StackDataset Subset
            SubsetRandomSampler TensorDataset WeightedRandomSampler functional_datapipe
            guaranteed_datapipes_determinism non_deterministic runtime_validation_disabled
        """,
        "module": """
            dataloader datapipes dataset distributed graph graph_settings sampler
        """,
        "hidden": """
            dataloader datapipes dataset distributed graph graph_settings sampler
        """,
    },
    "torch.utils.debug_log": {
        "function": """
            debug_grad_log leaf_function
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            leaf_function torch
        """,
    },
    "torch.utils.deterministic": {
        "alias": {
            "torch": "torch",
        },
    },
    "torch.utils.dlpack": {
        "class": """
            DLDeviceType
        """,
        "alias": {
            "from_dlpack": "torch.from_dlpack", "to_dlpack": "torch.to_dlpack", "torch": "torch",
        },
        "hidden": """
            to_dlpack torch
        """,
    },
    "torch.utils.file_baton": {
        "class": """
            FileBaton
        """,
    },
    "torch.utils.flop_counter": {
        "function": """
            addmm_flop baddbmm_flop bmm_flop conv_backward_flop conv_flop conv_flop_count convert_num_with_suffix
            convert_to_percent_str get_shape get_suffix_str mm_flop normalize_tuple register_flop_formula
            sdpa_backward_flop sdpa_backward_flop_count sdpa_flop sdpa_flop_count shape_wrapper tree_flatten
            tree_unflatten
        """,
        "class": """
            FlopCounterMode ModuleTracker
        """,
        "alias": {
            "TorchDispatchMode": "torch.autograd.graph.TorchDispatchMode", "aten": "torch.ops.aten", "torch": "torch",
            "tree_map": "torch.utils.checkpoint.tree_map",
        },
        "hidden": """
            ModuleTracker TorchDispatchMode addmm_flop aten baddbmm_flop bmm_flop conv_backward_flop conv_flop
            conv_flop_count convert_num_with_suffix convert_to_percent_str get_shape get_suffix_str mm_flop
            normalize_tuple sdpa_backward_flop sdpa_backward_flop_count sdpa_flop sdpa_flop_count shape_wrapper torch
            tree_flatten tree_map tree_unflatten
        """,
    },
    "torch.utils.hipify": {
        "module": """
            version
        """,
    },
    "torch.utils.hooks": {
        "function": """
            unserializable_hook warn_if_has_hooks
        """,
        "class": """
            BackwardHook RemovableHandle
        """,
        "alias": {
            "torch": "torch",
        },
        "hidden": """
            torch
        """,
    },
    "torch.utils.jit": {
    },
    "torch.utils.mkldnn": {
        "function": """
            to_mkldnn
        """,
        "layer": """
            MkldnnBatchNorm MkldnnConv1d MkldnnConv2d MkldnnConv3d MkldnnLinear MkldnnPrelu
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.utils.mobile_optimizer": {
        "function": """
            generate_mobile_module_lints optimize_for_mobile
        """,
        "class": """
            LintCode MobileOptimizerType
        """,
        "alias": {
            "torch": "torch",
        },
    },
    "torch.utils.model_dump": {
        "function": """
            burn_in_info get_info_and_burn_skeleton get_inline_skeleton get_model_info get_storage_info
            hierarchical_pickle main
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "DEFAULT_EXTRA_FILE_SIZE_LIMIT": 16384,
        },
        "hidden": """
            DEFAULT_EXTRA_FILE_SIZE_LIMIT main torch
        """,
    },
    "torch.utils.model_zoo": {
        "alias": {
            "load_url": "torch.hub.load_state_dict_from_url", "tqdm": "torch.hub.tqdm",
        },
    },
    "torch.utils.module_tracker": {
        "function": """
            register_module_forward_hook register_module_forward_pre_hook
        """,
        "alias": {
            "ModuleTracker": "torch.utils.flop_counter.ModuleTracker",
            "register_multi_grad_hook": "torch.autograd.graph.register_multi_grad_hook", "torch": "torch",
            "tree_flatten": "torch.utils.flop_counter.tree_flatten",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING register_module_forward_hook register_module_forward_pre_hook register_multi_grad_hook torch
            tree_flatten
        """,
    },
    "torch.utils.serialization": {
        "module": """
            config
        """,
    },
    "torch.utils.show_pickle": {
        "function": """
            main
        """,
        "class": """
            DumpUnpickler FakeClass FakeObject
        """,
    },
    "torch.utils.throughput_benchmark": {
        "function": """
            format_time
        """,
        "class": """
            ExecutionStats
        """,
        "alias": {
            "ThroughputBenchmark": "torch.utils.ThroughputBenchmark", "torch": "torch",
        },
    },
    "torch.utils.viz": {
    },
    "torch.utils.weak": {
        "class": """
            TensorWeakRef WeakIdKeyDictionary WeakIdRef
        """,
        "alias": {
            "Tensor": "torch.Tensor", "WeakTensorKeyDictionary": "torch.utils.weak.WeakIdKeyDictionary",
        },
        "hidden": """
            Tensor
        """,
    },
    "torch.version": {
        "constant": {
            "cuda": None, "debug": False, "hip": None, "rocm": None, "xpu": None,
        },
    },
    "torch.xpu": {
        "function": """
            can_device_access_peer change_current_allocator clock_rate current_device current_stream device_count
            device_memory_used empty_cache get_arch_list get_device_capability get_device_name get_device_properties
            get_gencode_flags get_per_process_memory_fraction get_rng_state get_rng_state_all get_stream_from_external
            graph_pool_handle init initial_seed is_available is_bf16_supported is_current_stream_capturing
            is_initialized is_tf32_supported make_graphed_callables manual_seed manual_seed_all max_memory_allocated
            max_memory_reserved mem_get_info memory_allocated memory_reserved memory_snapshot memory_stats
            memory_stats_as_nested_dict memory_usage power_draw reset_accumulated_memory_stats reset_peak_memory_stats
            seed seed_all set_device set_per_process_memory_fraction set_rng_state set_rng_state_all set_stream stream
            synchronize temperature use_mem_pool utilization
        """,
        "class": """
            Event MemPool Stream StreamContext XPUGraph XPUPluggableAllocator device device_of graph
        """,
        "module": """
            graphs memory random streams
        """,
        "alias": {
            "torch": "torch",
        },
        "constant": {
            "TYPE_CHECKING": False,
        },
        "hidden": """
            TYPE_CHECKING graphs memory random torch
        """,
    },
    "torch.Tensor": {
        "method": """
            abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_ addcmul
            addcmul_ addmm addmm_ addmv addmv_ addr addr_ adjoint all allclose amax amin aminmax angle any apply_
            arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh
            arctanh_ argmax argmin argsort argwhere as_strided as_strided_ as_strided_scatter as_subclass asin asin_
            asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_ bernoulli bernoulli_ bfloat16
            bincount bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_
            bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ bmm bool
            broadcast_to byte cauchy_ ccol_indices cdouble ceil ceil_ cfloat chalf char cholesky cholesky_inverse
            cholesky_solve chunk clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone coalesce
            col_indices conj conj_physical conj_physical_ const_data_ptr contiguous copy_ copysign copysign_ corrcoef
            cos cos_ cosh cosh_ count_nonzero cov cpu cross crow_indices cuda cummax cummin cumprod cumprod_ cumsum
            cumsum_ data_ptr deg2rad deg2rad_ dense_dim dequantize det detach detach_ diag diag_embed diagflat
            diagonal diagonal_scatter diff digamma digamma_ dim dim_order dist div div_ divide divide_ dot double
            dsplit eig element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expand
            expand_as expm1 expm1_ exponential_ fill_ fill_diagonal_ fix fix_ flatten flip fliplr flipud float
            float_power float_power_ floor floor_ floor_divide floor_divide_ fmax fmin fmod fmod_ frac frac_ frexp
            gather gcd gcd_ ge ge_ geometric_ geqrf ger get_device greater greater_ greater_equal greater_equal_ gt
            gt_ half hardshrink hash_tensor heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_ igamma
            igamma_ igammac igammac_ index index_add index_add_ index_copy index_copy_ index_fill index_fill_
            index_put index_put_ index_reduce index_reduce_ index_select indices inner int int_repr inverse ipu
            is_coalesced is_complex is_conj is_contiguous is_distributed is_floating_point is_inference is_neg
            is_nonzero is_pinned is_same_size is_set_to is_shared is_signed isclose isfinite isinf isnan isneginf
            isposinf isreal istft item kron kthvalue lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal
            less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp
            logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_
            logical_xor logical_xor_ logit logit_ logsumexp long lstsq lt lt_ lu lu_solve map2_ map_ masked_fill
            masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max maximum mean
            median min minimum mm mode module_load moveaxis movedim msort mtia mul mul_ multinomial multiply multiply_
            mv mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow narrow_copy
            ndimension ne ne_ neg neg_ negative negative_ nelement new new_empty new_empty_strided new_full new_ones
            new_tensor new_zeros nextafter nextafter_ nonzero nonzero_static norm normal_ not_equal not_equal_ numel
            numpy orgqr ormqr outer permute pin_memory pinverse polygamma polygamma_ positive pow pow_ prelu prod put
            put_ q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme
            quantile rad2deg rad2deg_ random_ ravel reciprocal reciprocal_ record_stream register_hook
            register_post_accumulate_grad_hook reinforce relu relu_ remainder remainder_ renorm renorm_ repeat
            repeat_interleave requires_grad_ reshape reshape_as resize resize_ resize_as resize_as_ resize_as_sparse_
            resolve_conj resolve_neg retain_grad roll rot90 round round_ row_indices rsqrt rsqrt_ scatter scatter_
            scatter_add scatter_add_ scatter_reduce scatter_reduce_ select select_scatter set_ sgn sgn_ share_memory_
            short sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc sinc_ sinh sinh_ size slice_inverse slice_scatter
            slogdet smm softmax solve sort sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ split
            split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_ sspaddmm std stft storage storage_offset
            storage_type stride sub sub_ subtract subtract_ sum sum_to_size svd swapaxes swapaxes_ swapdims swapdims_
            symeig t t_ take take_along_dim tan tan_ tanh tanh_ tensor_split tile to to_dense to_mkldnn
            to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr tolist
            topk trace transpose transpose_ triangular_solve tril tril_ triu triu_ true_divide true_divide_ trunc
            trunc_ type type_as unbind unflatten unfold uniform_ unique unique_consecutive unsafe_chunk unsafe_split
            unsafe_split_with_sizes unsqueeze unsqueeze_ untyped_storage values var vdot view view_as vsplit where
            xlogy xlogy_ xpu zero_
        """,
        "property": """
            H T data device dtype grad grad_dtype grad_fn imag is_cpu is_cuda is_ipu is_leaf is_maia is_meta is_mkldnn
            is_mps is_mtia is_nested is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize layout mH
            mT name nbytes ndim output_nr real requires_grad retains_grad shape volatile
        """,
    },
}  # fmt: skip

# Modules whose names are not recorded, package by package: each has whatever it is asked for.
OTHERS = """
torch: _C _VF __config__ __future__ _appdirs _awaits _classes _compile _custom_op _custom_ops _dispatch _dynamo
_environment _functorch _guards _higher_order_ops _inductor _jit_internal _lazy _library _linalg_utils _lobpcg
_logging _lowrank _meta_registrations _native _numpy _opaque_base _ops _prims_common _python_dispatcher _size_docs
_sources _storage_docs _streambase _strobelight _subclasses _tensor _tensor_docs _tensor_iterator _tensor_str
_thread_safe_fork _torch_docs _utils _utils_internal _vendor _vmap_internals _weights_only_unpickler
torch._custom_op: autograd impl
torch._dispatch: python
torch._functorch: _activation_checkpointing _activation_offloading _aot_autograd aot_autograd apis autograd_function
batch_norm_replacement benchmark_utils compile_utils compilers config deprecated eager_transforms einops
functional_call fx_minifier make_functional partitioners predispatch pyfunctorch python_key pytree_hacks
top_operators_github_usage utils vmap
torch._functorch._activation_checkpointing: ac_logging_utils graph_info_provider knapsack knapsack_evaluator
remat_using_tags_for_fwd_loss_bwd_graph_pass
torch._functorch._activation_offloading: activation_offloading offload_ops
torch._functorch._aot_autograd: aot_autograd_result autograd_cache collect_metadata_analysis complex_decomposition
descriptors frontend_utils functional_utils fx_utils graph_capture graph_capture_wrappers graph_compile indexed_dict
input_output_analysis logging_utils runtime_wrappers schemas streams subclass_codegen subclass_parametrization
subclass_utils utils
torch._higher_order_ops: _invoke_quant aoti_call_delegate associative_scan auto_functionalize base_hop cond
cudagraph_conditional_nodes effects executorch_call_delegate flat_apply flex_attention foreach_map hints_wrap
inline_asm_elementwise invoke_leaf_function invoke_subgraph local_map map out_dtype partitioner passes print
register_hook run_const_graph scan schema strict_mode torchbind triton_kernel_wrap utils while_loop wrap
torch._higher_order_ops.passes: inline_invoke_subgraph
torch._lazy: closure computation config debug device_context extract_compiled_graph ir_cache metrics
tensor_factory_functions ts_backend
torch._library: _out_variant autograd custom_ops effects fake_class_registry fake_impl fake_profile infer_schema
opaque_object simple_registry triton utils
torch._logging: _internal _registrations scribe structured
torch._native: common_utils cutedsl_utils dsl_registry ops registry triton_utils
torch._native.ops: bmm_outer_product foreach_mm norm scatter_add topk
torch._native.ops.bmm_outer_product: triton_impl triton_kernels
torch._native.ops.foreach_mm: impl nvmath_impl
torch._native.ops.norm: norms rmsnorm_impl
torch._native.ops.scatter_add: _ptx cutedsl_impl tma_kernel vec_scatter_kernel
torch._native.ops.topk: _common cutedsl_impl cutedsl_kernels
torch._numpy: _binary_ufuncs_impl _casting_dicts _dtypes _dtypes_impl _funcs _funcs_impl _getlimits _ndarray
_normalizations _reductions_impl _ufuncs _unary_ufuncs_impl _util fft linalg random
torch._prims_common: wrappers
torch._strobelight: cli_function_profiler compile_time_profiler
torch._subclasses: _fake_tensor_utils complex_tensor fake_impls fake_tensor fake_utils functional_tensor meta_utils
schema_check_mode
torch._subclasses.complex_tensor: _core _ops
torch._subclasses.complex_tensor._ops: aten common prims
torch._vendor: packaging quack
torch._vendor.packaging: _structures version
torch._vendor.quack: _compile_payload _compile_worker activation autotuner bench blockscaled_gemm_utils cache
compile_utils copy_utils cute_dsl_elf_fix cute_dsl_mlir_threading cute_dsl_utils epi_composable epi_ops epi_utils
fast_math gemm_act gemm_base gemm_blockscaled_interface gemm_config gemm_default_epi gemm_sm100 gemm_sm120 gemm_sm80
gemm_sm90 gemm_tvm_ffi_utils layout_utils mx_utils pipeline reduce reduction_base rmsnorm rmsnorm_config rounding
sm100_utils sm80_utils sm90_utils tile_scheduler trace utils varlen_utils
torch._vendor.quack.bench: bench_utils
torch._vendor.quack.cache: compile_only jit
torch.accelerator: _utils graphs memory
torch.ao: nn ns pruning quantization
torch.ao.nn: intrinsic qat quantizable quantized sparse
torch.ao.nn.intrinsic: modules qat quantized
torch.ao.nn.intrinsic.modules: fused
torch.ao.nn.intrinsic.qat: modules
torch.ao.nn.intrinsic.qat.modules: conv_fused linear_fused linear_relu
torch.ao.nn.intrinsic.quantized: dynamic modules
torch.ao.nn.intrinsic.quantized.dynamic: modules
torch.ao.nn.intrinsic.quantized.dynamic.modules: linear_relu
torch.ao.nn.intrinsic.quantized.modules: bn_relu conv_add conv_relu linear_relu
torch.ao.nn.qat: dynamic modules
torch.ao.nn.qat.dynamic: modules
torch.ao.nn.qat.dynamic.modules: linear
torch.ao.nn.qat.modules: conv embedding_ops linear
torch.ao.nn.quantizable: modules
torch.ao.nn.quantizable.modules: activation rnn
torch.ao.nn.quantized: dynamic functional modules reference
torch.ao.nn.quantized.dynamic: modules
torch.ao.nn.quantized.dynamic.modules: conv linear rnn
torch.ao.nn.quantized.modules: activation batchnorm conv dropout embedding_ops functional_modules linear normalization
rnn utils
torch.ao.nn.quantized.reference: modules
torch.ao.nn.quantized.reference.modules: conv linear rnn sparse utils
torch.ao.nn.sparse: quantized
torch.ao.nn.sparse.quantized: dynamic linear utils
torch.ao.nn.sparse.quantized.dynamic: linear
torch.ao.ns: _numeric_suite _numeric_suite_fx fx
torch.ao.ns.fx: graph_matcher graph_passes mappings n_shadows_utils ns_types pattern_utils qconfig_multi_mapping utils
weight_utils
torch.ao.pruning: _experimental _mappings scheduler sparsifier
torch.ao.pruning._experimental: activation_sparsifier data_scheduler data_sparsifier pruner
torch.ao.pruning._experimental.activation_sparsifier: activation_sparsifier
torch.ao.pruning._experimental.data_scheduler: base_data_scheduler
torch.ao.pruning._experimental.data_sparsifier: base_data_sparsifier data_norm_sparsifier lightning quantization_utils
torch.ao.pruning._experimental.data_sparsifier.lightning: callbacks
torch.ao.pruning._experimental.data_sparsifier.lightning.callbacks: _data_sparstity_utils data_sparsity
torch.ao.pruning._experimental.pruner: FPGM_pruner base_structured_sparsifier lstm_saliency_pruner match_utils
parametrization prune_functions saliency_pruner
torch.ao.pruning.scheduler: base_scheduler cubic_scheduler lambda_scheduler
torch.ao.pruning.sparsifier: base_sparsifier nearly_diagonal_sparsifier utils weight_norm_sparsifier
torch.ao.quantization: _correct_bias _equalize _learnable_fake_quantize backend_config fake_quantize fuse_modules
fuser_method_mappings fx observer qconfig qconfig_mapping quant_type quantization_mappings quantize quantize_fx
quantize_jit stubs utils
torch.ao.quantization.backend_config: _common_operator_config_utils _qnnpack_pt2e backend_config executorch fbgemm
native onednn qnnpack tensorrt utils x86
torch.ao.quantization.fx: _decomposed _equalize _lower_to_native_backend _model_report convert custom_config fuse
fuse_handler graph_module lower_to_fbgemm lower_to_qnnpack lstm_utils match_utils pattern_utils prepare
qconfig_mapping_utils quantize_handler tracer utils
torch.ao.quantization.fx._model_report: detector model_report model_report_observer model_report_visualizer
torch.autograd: _functions
torch.autograd._functions: tensor utils
torch.backends: _coreml _nnapi
torch.backends._coreml: preprocess
torch.backends._nnapi: prepare serializer
torch.backends.cudnn: rnn
torch.backends.xeon: run_cpu
torch.compiler: _cache config
torch.cpu: amp
torch.cpu.amp: autocast_mode grad_scaler
torch.cuda: _annotate_cuda_graph_trace _device_limits _gpu_trace _graph_annotations _memory_viz _pin_memory_utils
_sanitizer _utils
torch.cuda.amp: autocast_mode common grad_scaler
torch.distributed: _checkpointable _composable _composable_state _dist2 _functional_collectives
_functional_collectives_impl _local_tensor _mesh_layout _meta_registrations _ops _pycute _serialization _shard
_sharded_tensor _sharding_spec _state_dict_utils _symmetric_memory _tensor _tools algorithms argparse_util autograd
c10d_logger checkpoint collective_utils config constants debug device_mesh distributed_c10d elastic flight_recorder
fsdp launch launcher logging_handlers nn optim pipelining remote_device rendezvous rpc run tensor utils
torch.distributed._composable: checkpoint_activation contract fsdp replicate replicate_with_fsdp
torch.distributed._composable.fsdp: fully_shard
torch.distributed._local_tensor: _c10d
torch.distributed._ops: device_mesh
torch.distributed._pycute: int_tuple layout typing
torch.distributed._shard: _utils api checkpoint common_op_utils metadata op_registry_utils sharded_optim
sharded_tensor sharder sharding_plan sharding_spec
torch.distributed._shard.sharded_optim: api
torch.distributed._shard.sharded_tensor: _ops api logger logging_handlers metadata reshard shard utils
torch.distributed._shard.sharded_tensor._ops: _common binary_cmp init misc_ops tensor_ops
torch.distributed._shard.sharding_plan: api
torch.distributed._shard.sharding_spec: _internals api chunk_sharding_spec chunk_sharding_spec_ops
torch.distributed._shard.sharding_spec.chunk_sharding_spec_ops: _common embedding embedding_bag
torch.distributed._symmetric_memory: _nccl _nvshmem_triton _rocshmem_triton _shmem_triton _shmem_triton_utils
torch.distributed._tensor: api placement_types
torch.distributed._tools: common_utils fake_collectives fsdp2_mem_tracker ilp_utils mem_tracker memory_tracker
mod_tracker runtime_estimator sac_estimator sac_ilp
torch.distributed.algorithms: _checkpoint _comm_hooks _optimizer_overlap _quantization ddp_comm_hooks join
model_averaging
torch.distributed.algorithms._checkpoint: checkpoint_wrapper
torch.distributed.algorithms._comm_hooks: default_hooks
torch.distributed.algorithms._optimizer_overlap: optimizer_overlap
torch.distributed.algorithms._quantization: quantization
torch.distributed.algorithms.ddp_comm_hooks: ddp_zero_hook debugging_hooks default_hooks mixed_precision_hooks
optimizer_overlap_hooks post_localSGD_hook powerSGD_hook quantization_hooks
torch.distributed.algorithms.model_averaging: averagers hierarchical_model_averager utils
torch.distributed.checkpoint: _async_executor _async_process_executor _async_thread_executor _checkpointer
_consolidate_hf_safetensors _dedup_save_plans _dedup_tensors _experimental _extension _fsspec_filesystem _hf_utils
_nested_dict _pg_transport _sharded_tensor_utils _state_dict_stager _storage_utils _traverse _version api
default_planner filesystem format_utils hf_storage logger logging_handlers metadata optimizer planner planner_helpers
quantized_hf_storage resharding staging state_dict state_dict_loader state_dict_saver stateful storage utils
torch.distributed.checkpoint._experimental: barriers builder checkpoint_process checkpoint_reader checkpoint_writer
checkpointer config staging types utils
torch.distributed.debug: _debug_handlers _frontend _handlers _store
torch.distributed.elastic: agent control_plane events metrics multiprocessing rendezvous timer utils
torch.distributed.elastic.agent: server
torch.distributed.elastic.agent.server: api health_check_server local_elastic_agent
torch.distributed.elastic.events: api handlers
torch.distributed.elastic.metrics: api
torch.distributed.elastic.multiprocessing: api errors redirects subprocess_handler tail_log
torch.distributed.elastic.multiprocessing.errors: error_handler handlers
torch.distributed.elastic.multiprocessing.subprocess_handler: handlers subprocess_handler
torch.distributed.elastic.rendezvous: _etcd_stub api c10d_rendezvous_backend dynamic_rendezvous etcd_rendezvous
etcd_rendezvous_backend etcd_server etcd_store registry static_tcp_rendezvous utils
torch.distributed.elastic.timer: api debug_info_logging file_based_local_timer local_timer
torch.distributed.elastic.utils: api data distributed log_level logging process_state store
torch.distributed.elastic.utils.data: cycling_iterator elastic_distributed_sampler
torch.distributed.flight_recorder: components fr_trace
torch.distributed.flight_recorder.components: builder config_manager fr_logger loader types utils
torch.distributed.fsdp: _common_utils _debug_utils _dynamo_utils _exec_order_utils _flat_param _fsdp_extensions
_fully_shard _init_utils _limiter_utils _optim_utils _runtime_utils _shard_utils _state_dict_utils _trace_utils
_traversal_utils _unshard_param_utils _wrap_utils api fully_sharded_data_parallel sharded_grad_scaler wrap
torch.distributed.fsdp._fully_shard: _fsdp_api _fsdp_collectives _fsdp_common _fsdp_init _fsdp_param _fsdp_param_group
_fsdp_state _fully_shard
torch.distributed.launcher: api
torch.distributed.nn: api functional jit
torch.distributed.nn.api: remote_module
torch.distributed.nn.jit: instantiator templates
torch.distributed.nn.jit.templates: remote_module_template
torch.distributed.optim: _deprecation_warning apply_optimizer_in_backward functional_adadelta functional_adagrad
functional_adam functional_adamax functional_adamw functional_rmsprop functional_rprop functional_sgd named_optimizer
optimizer post_localSGD_optimizer utils zero_redundancy_optimizer
torch.distributed.pipelining: _IR _backward _debug _schedule_visualizer _unflatten _utils microbatch schedules stage
torch.distributed.rpc: _testing _utils api backend_registry constants functions internal options rref_proxy
server_process_global_profiler
torch.distributed.rpc._testing: faulty_agent_backend_registry
torch.distributed.tensor: _api _collective_utils _decompositions _dispatch _dtensor_spec _nonlinear_redux _op_schema
_ops _random _redistribute _sharding_prop _shards_wrapper _tp_conv _utils debug device_mesh experimental parallel
placement_types
torch.distributed.tensor._ops: _common_rules _conv_ops _einsum_strategy _embedding_ops _mask_buffer _math_ops
_matrix_ops _pointwise_ops _random_ops _tensor_ops _view_ops autogen single_dim_strategy strategy_validation utils
torch.distributed.tensor.debug: _comm_mode _op_coverage _visualize_sharding
torch.distributed.tensor.experimental: _attention _context_parallel _func_map _register_sharding _tp_transform
torch.distributed.tensor.experimental._context_parallel: _attention _cp_custom_ops _load_balancer _sharding_rules
torch.distributed.tensor.parallel: _data_parallel_utils api ddp fsdp input_reshard loss style
torch.export: _draft_export _leakage_detection_utils _patches _remove_auto_functionalized_pass
_remove_effect_tokens_pass _safeguard _state_dict_utils _swap _trace _tree_utils _unlift _wrapper_utils custom_obj
custom_ops decomp_utils dynamic_shapes experimental exported_program graph_signature passes pt2_archive unflatten
torch.export.experimental: _utils
torch.export.pt2_archive: _package _package_weights constants
torch.func: _random
torch.fx: _compatibility _graph_pickler _lazy_graph_module _pytree _symbolic_trace _utils annotate config experimental
graph graph_module immutable_collections interpreter node operator_schemas passes proxy subgraph_rewriter tensor_type
traceback
torch.fx.experimental: _backward_state _config _constant_symnode _dynamism _size_hinting accelerator_partitioner
const_fold debug dynamic_spec graph_gradual_typechecker merge_matmul meta_tracer migrate_gradual_types normalize
optimization partitioner_utils proxy_tensor recording refinement_types rewriter schema_type_annotation sym_node
symbolic_shapes unification unify_refinements validator
torch.fx.experimental.migrate_gradual_types: constraint constraint_generator constraint_transformation operation
transform_to_z3 util z3_types
torch.fx.experimental.unification: core dispatch match more multipledispatch unification_tools utils variable
torch.fx.experimental.unification.multipledispatch: conflict core dispatcher utils variadic
torch.fx.passes: _tensorify_python_scalars annotate_getitem_nodes backends dialect fake_tensor_prop graph_drawer
graph_manipulation graph_transform_observer infra net_min_base operator_support param_fetch pass_manager
regional_inductor regional_inductor_invoke_subgraph reinplace runtime_assert shape_prop split_module split_utils
splitter_base tests tools_common utils
torch.fx.passes.backends: cudagraphs
torch.fx.passes.dialect: common
torch.fx.passes.dialect.common: cse_pass
torch.fx.passes.infra: partitioner pass_base pass_manager
torch.fx.passes.tests: _test_split_utils test_pass_manager
torch.fx.passes.utils: common fuser_utils matcher_utils matcher_with_name_node_map_utils source_matcher_utils
torch.jit: _async _await _builtins _check _dataclass_impls _decomposition_utils _decompositions _freeze _fuser
_ir_utils _logging _monkeytype_config _passes _pickle _recursive _script _serialization _shape_functions _state _trace
annotations frontend generate_bytecode mobile quantized supported_ops unsupported_tensor_ops
torch.jit._passes: _property_propagation
torch.masked: _docs _ops maskedtensor
torch.masked.maskedtensor: _ops_refs binary core creation passthrough reductions unary
torch.mps: event profiler
torch.mtia: _utils memory mtia_graph
torch.multiprocessing: _atfork pool queue reductions spawn
torch.nativert: backends
torch.nativert.backends: _lower_utils _lowered_aoti_module
torch.nested: _internal
torch.nested._internal: nested_int nested_tensor ops sdpa
torch.nn: _reduction
torch.nn.attention: _fa3 _fa4 _registry _utils
torch.nn.attention.experimental: _paged_attention _scaled_dot_product_attention_quantized
torch.nn.intrinsic.modules: fused
torch.nn.intrinsic.qat: modules
torch.nn.intrinsic.qat.modules: conv_fused linear_fused linear_relu
torch.nn.intrinsic.quantized: dynamic modules
torch.nn.intrinsic.quantized.dynamic: modules
torch.nn.intrinsic.quantized.dynamic.modules: linear_relu
torch.nn.intrinsic.quantized.modules: bn_relu conv_relu linear_relu
torch.nn.parallel: _functions
torch.nn.qat.dynamic: modules
torch.nn.qat.dynamic.modules: linear
torch.nn.qat.modules: conv embedding_ops linear
torch.nn.quantizable.modules: activation rnn
torch.nn.quantized: _reference
torch.nn.quantized._reference: modules
torch.nn.quantized._reference.modules: conv linear rnn sparse utils
torch.nn.quantized.dynamic: modules
torch.nn.quantized.dynamic.modules: conv linear rnn
torch.nn.quantized.modules: activation batchnorm conv dropout embedding_ops functional_modules linear normalization
rnn utils
torch.nn.utils: _deprecation_utils _expanded_weights _named_member_accessor _per_sample_grad
torch.nn.utils._expanded_weights: conv_expanded_weights conv_utils embedding_expanded_weights expanded_weights_impl
expanded_weights_utils group_norm_expanded_weights instance_norm_expanded_weights layer_norm_expanded_weights
linear_expanded_weights
torch.numa: binding
torch.optim: _adafactor _functional _multi_tensor _muon _stateless
torch.package: _digraph _directory_reader _importlib _mangling _mock _package_pickler _package_unpickler _stdlib
analyze file_structure_representation find_file_dependencies glob_group importer package_exporter package_importer
torch.package.analyze: find_first_use_of_broken_modules is_from_package trace_dependencies
torch.profiler: _chrome_trace_export _cupti_monitor _cupti_monitor_trace _memory_profiler _pattern_matcher
_trace_validator _utils itt profiler python_tracer
torch.quantization: _numeric_suite _numeric_suite_fx _quantized_conversions fake_quantize fuse_modules
fuser_method_mappings fx observer qconfig quant_type quantization_mappings quantize quantize_fx quantize_jit stubs
utils
torch.quantization.fx: _equalize convert fuse fusion_patterns graph_module match_utils pattern_utils prepare
quantization_patterns quantization_types utils
torch.signal.windows: windows
torch.sparse: _semi_structured_conversions _semi_structured_ops _triton_ops _triton_ops_meta
torch.utils: _appending_byte_serializer _config_module _content_store _contextlib _cpp_embed_headers
_cpp_extension_versioner _cuda_debug _cxx_pytree _debug_mode _device _dtype_abbrs _exposed_in _filelock _foreach_utils
_functools _get_clean_triton _helion _import_utils _inspect _mode_utils _ordered_set _pallas _python_dispatch _pytree
_runtime_estimation _stats _strobelight _sympy _thunk _traceback _triton _typing_utils _zip tensorboard
torch.utils._debug_mode: _calls _mode _utils
torch.utils._strobelight: cli_function_profiler
torch.utils._sympy: functions interp numbers printers reference singleton_int solve symbol value_ranges
torch.utils.benchmark: examples op_fuzzers utils
torch.utils.benchmark.examples: compare fuzzer op_benchmark simple_timeit spectral_ops_fuzz_test
torch.utils.benchmark.op_fuzzers: binary sparse_binary sparse_unary spectral unary
torch.utils.benchmark.utils: _stubs common compare compile cpp_jit fuzzer sparse_fuzzer timer valgrind_wrapper
torch.utils.benchmark.utils.valgrind_wrapper: timer_interface
torch.utils.data: _utils backward_compatibility dataloader datapipes dataset distributed graph graph_settings sampler
torch.utils.data._utils: collate fetch pin_memory signal_handling worker
torch.utils.data.datapipes: _decorator _hook_iterator _typing dataframe datapipe gen_pyi iter map utils
torch.utils.data.datapipes.dataframe: dataframe_wrapper dataframes datapipes structures
torch.utils.data.datapipes.iter: callable combinatorics combining filelister fileopener grouping routeddecoder
selecting sharding streamreader utils
torch.utils.data.datapipes.map: callable combinatorics combining grouping utils
torch.utils.data.datapipes.utils: common decoder snapshot
torch.utils.hipify: constants cuda_to_hip_mappings hipify_python version
torch.utils.jit: log_extract
torch.utils.model_dump: __main__
torch.utils.serialization: config
torch.utils.tensorboard: _convert_np _embedding _onnx_graph _proto_graph _pytorch_graph _utils summary writer
torch.utils.viz: _cycles
torch.xpu: _gpu_trace _utils graphs memory random streams
"""
